/** A plan as an importer puts it together: groups and items in the order of the source, references by the ids that the team writes. */
import { idsInRange, type MentionedIds } from '../markdown/dependencies.js'

export type ItemStatus = 'todo' | 'in_progress' | 'done' | 'blocked'

export interface GroupDraft {
  title: string
  items: ItemDraft[]
  gates: Array<{ criterion: string; line: number | undefined }>
}

export interface ItemDraft {
  /** As the team writes it; undefined for one that has none. */
  id: string | undefined
  title: string
  description: string
  status: ItemStatus
  path: string
  line: number | undefined
  /** Ids of other items as they are written, ranges included. */
  dependsOn: MentionedIds
  relatesTo: string[]
}

export interface NewItem {
  id?: string | undefined
  title: string
  description?: string
  status: ItemStatus
  line?: number | undefined
  /** Where it stands, when that is not the file of the plan. */
  path?: string
  dependsOn?: Partial<MentionedIds>
  relatesTo?: string[]
}

export class PlanDraft {
  readonly groups: GroupDraft[] = []

  /** `normalize` makes of an id what two ways to write it have in common; how ids are compared. */
  constructor (
    readonly path: string,
    readonly normalize: (id: string) => string = (id) => id.toLowerCase().replace(/^#/, '')
  ) {}

  /** A group even where another has the same title. */
  addGroup (title: string): GroupDraft {
    const group = { title, items: [], gates: [] }
    this.groups.push(group)
    return group
  }

  /** The group of that title, which is made where there is none. */
  groupOf (title: string): GroupDraft {
    return this.groups.find((group) => group.title === title) ?? this.addGroup(title)
  }

  addItem (
    group: GroupDraft,
    { id, title, description = '', status, line, path = this.path, dependsOn, relatesTo = [] }: NewItem
  ): ItemDraft {
    const item = {
      id,
      title,
      description,
      status,
      path,
      line,
      relatesTo,
      dependsOn: { ids: dependsOn?.ids ?? [], ranges: dependsOn?.ranges ?? [] }
    }
    group.items.push(item)
    return item
  }

  get items (): ItemDraft[] {
    return this.groups.flatMap(({ items }) => items)
  }

  /** The ids that an item depends on as they are written, each once, with ranges written out among the known ones. */
  mentionedBy (item: ItemDraft, known: readonly string[]): string[] {
    return [
      ...new Set([...item.dependsOn.ids, ...item.dependsOn.ranges.flatMap((range) => idsInRange(range, known))])
    ]
  }
}
