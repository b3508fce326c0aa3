/** The group of a task whose source knows parents but not always groups. */

export interface TaskTree<Task> {
  normalize: (id: string) => string
  /** The group that the source names; '' when it names none. */
  ownGroup: (task: Task) => string
  /** The title of the group that a parent makes of itself. */
  titleOf: (task: Task) => string
  defaultGroup: string
}

const MAX_DEPTH = 20

/** The title of the task's own group; else of its parent's; else, for a parent, its own title; else the default. */
export const inheritedGroups = <Task extends { id: string, parent: string }>(
  tasks: readonly Task[], { normalize, ownGroup, titleOf, defaultGroup }: TaskTree<Task>
): (task: Task) => string => {
  const byId = new Map(tasks.map((task) => [normalize(task.id), task]))
  const parentOf = ({ parent }: Task): Task | undefined => parent === '' ? undefined : byId.get(normalize(parent))
  const parents = new Set(tasks.map(parentOf))
  const groupOf = (task: Task, depth = 0): string => {
    const own = ownGroup(task)
    if (own !== '') return own
    const parent = parentOf(task)
    if (parent && parent !== task && depth < MAX_DEPTH) return groupOf(parent, depth + 1)
    return parents.has(task) ? titleOf(task) : defaultGroup
  }
  return (task) => groupOf(task)
}
