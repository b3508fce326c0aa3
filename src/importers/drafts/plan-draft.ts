/** A plan in the making: groups and items in the order of the source, references by the ids that the team writes. */
import type { Criterion, ItemStatus } from '../../planning/records.js'
import type { MentionedIds } from '../markdown/dependencies.js'

export interface GroupDraft {
  title: string
  items: ItemDraft[]
  gates: Array<{ criterion: string; line: number | undefined }>
}

export interface ItemDraft {
  /** The id that the team writes; undefined for an item without one. */
  id: string | undefined
  title: string
  description: string
  status: ItemStatus
  acceptance: readonly Criterion[]
  /** The place of its status: a file relative to the root, and a line that counts from 1. */
  path: string
  line: number | undefined
  /** Ids of other items as written, with ranges. */
  dependsOn: MentionedIds
  relatesTo: string[]
}

/** What is absent is empty; `path` is that of the plan. */
export type NewItem = Pick<ItemDraft, 'title' | 'status'> & Partial<Omit<ItemDraft, 'dependsOn'>> & {
  dependsOn?: Partial<MentionedIds>
}

export class PlanDraft {
  readonly groups: GroupDraft[] = []

  /**
   * `normalize` maps equivalent spellings of an id to one, for comparison. `isExport`: the records do not name the
   * lines of the items, which change with each export.
   */
  constructor (
    readonly path: string,
    readonly normalize: (id: string) => string = (id) => id.toLowerCase().replace(/^#/, ''),
    readonly isExport = false
  ) {}

  get progress (): 'draft' | 'ready' | 'delivered' {
    const { items } = this
    if (items.length === 0) return 'draft'
    return items.every(({ status }) => status === 'done') ? 'delivered' : 'ready'
  }

  /** Adds a group, even if another has the same title. */
  addGroup (title: string): GroupDraft {
    const group = { title, items: [], gates: [] }
    this.groups.push(group)
    return group
  }

  /** The group with that title, created when there is none. */
  groupOf (title: string): GroupDraft {
    return this.groups.find((group) => group.title === title) ?? this.addGroup(title)
  }

  addItem (group: GroupDraft, { dependsOn, ...given }: NewItem): ItemDraft {
    const absent = { id: undefined, description: '', acceptance: [], path: this.path, line: undefined, relatesTo: [] }
    const item = { ...absent, ...given, dependsOn: { ids: [], ranges: [], ...dependsOn } }
    group.items.push(item)
    return item
  }

  get items (): ItemDraft[] {
    return this.groups.flatMap(({ items }) => items)
  }
}

/** A task whose source knows parents but not always groups; '' for what it does not name. */
export interface TreeTask { id: string, parent: string, group: string, title: string }

const MAX_DEPTH = 20

/** The title of the task's own group; else of its parent's; else, for a parent, its own title; else the default. */
export const inheritedGroups = (
  tasks: readonly TreeTask[], normalize: (id: string) => string, defaultGroup: string
): (task: TreeTask) => string => {
  const byId = new Map(tasks.map((task) => [normalize(task.id), task]))
  const parentOf = ({ parent }: TreeTask): TreeTask | undefined =>
    parent === '' ? undefined : byId.get(normalize(parent))
  const parents = new Set(tasks.map(parentOf))
  const groupOf = (task: TreeTask, depth = 0): string => {
    const parent = parentOf(task)
    if (task.group !== '') return task.group
    if (parent && parent !== task && depth < MAX_DEPTH) return groupOf(parent, depth + 1)
    return parents.has(task) ? task.title : defaultGroup
  }
  return (task) => groupOf(task)
}
