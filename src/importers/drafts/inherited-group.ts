/** The group of a task whose source knows parents but not always groups. */

export interface TaskTree<Task extends { id: string, parent: string }> {
  /** Tasks by their normalized id. */
  byId: ReadonlyMap<string, Task>
  /** Normalized ids of the tasks that are a parent. */
  parents: ReadonlySet<string>
  normalize: (id: string) => string
  /** The group that the source names; '' when it names none. */
  ownGroup: (task: Task) => string
  /** The title of the group that a parent makes of itself. */
  titleOf: (task: Task) => string
  defaultGroup: string
}

const MAX_DEPTH = 20

/** The title of the task's own group; else of its parent's; else, for a parent, its own title; else the default. */
export const inheritedGroup = <Task extends { id: string, parent: string }>(
  task: Task, tree: TaskTree<Task>, depth = 0
): string => {
  const own = tree.ownGroup(task)
  if (own !== '') return own
  const parent = task.parent === '' ? undefined : tree.byId.get(tree.normalize(task.parent))
  if (parent && parent !== task && depth < MAX_DEPTH) return inheritedGroup(parent, tree, depth + 1)
  return task.id !== '' && tree.parents.has(tree.normalize(task.id)) ? tree.titleOf(task) : tree.defaultGroup
}
