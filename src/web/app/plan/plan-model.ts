/**
 * The plan as the picture and the list need it: groups in order with their items, links in both directions, gates and
 * open conflicts at their places. Takes any record: what refers to nothing is left out, items without a group get one,
 * repeated ids do not hide each other. Objects are addressed by index, never by ids of the record.
 */
import { plainText } from './plain-text.js'
import type { ItemStatus, PlanRecord } from './plan-record.js'

export interface PlanItem {
  /** Place in reading order. */
  index: number
  /** As the record has it: for messages about the item, not to find it by. */
  id: string
  title: string
  /** Unchanged text of the record, '' if there is none. */
  description: string
  acceptance: ReadonlyArray<{ text: string, met: boolean }>
  status: ItemStatus
  /** To do, and everything it waits for is done. */
  ready: boolean
  /** Who holds it; undefined for no one, or where the reader may not know. */
  holder: string | undefined
  /** The id of the proposal by which it waits for a person. */
  proposal: string | undefined
  group: PlanGroup
  /** Links from what it waits for or relates to. */
  before: PlanLink[]
  /** Links to what waits for it or relates to it. */
  after: PlanLink[]
  conflicts: PlanConflict[]
}

export interface PlanLink {
  from: PlanItem
  to: PlanItem
  kind: 'blocks' | 'relates'
}

type Recorded<Part extends keyof PlanRecord> = PlanRecord[Part][number]

export interface PlanGate extends Pick<Recorded<'gates'>, 'id' | 'title' | 'status' | 'criteria'> {
  index: number
  group: PlanGroup
}

export interface PlanConflict extends Required<Omit<Recorded<'conflicts'>, 'item_ids'>> {
  index: number
  items: PlanItem[]
}

export interface PlanGroup {
  index: number
  /** Undefined for the group of items that have none. */
  id: string | undefined
  title: string
  items: PlanItem[]
  gates: PlanGate[]
  counts: Record<ItemStatus, number>
}

export interface PlanSubject {
  item?: PlanItem | undefined
  group?: PlanGroup | undefined
  gate?: PlanGate | undefined
  conflict?: PlanConflict
}

export interface PlanModel {
  groups: PlanGroup[]
  items: PlanItem[]
  links: PlanLink[]
  gates: PlanGate[]
  conflicts: PlanConflict[]
  counts: Record<ItemStatus, number>
  ready: PlanItem[]
}

const noCounts = (): Record<ItemStatus, number> => ({ todo: 0, in_progress: 0, done: 0, blocked: 0 })

const orderOf = ({ order }: { order: number }): number => Number.isFinite(order) ? order : Infinity

const inOrder = <Ordered extends { order: number }>(list: readonly Ordered[]): Ordered[] =>
  [...list].sort((one, other) => {
    const [a, b] = [orderOf(one), orderOf(other)]
    return a === b ? 0 : a - b
  })

export const createPlanModel = (plan: PlanRecord): PlanModel => {
  const groups: PlanGroup[] = []
  const groupById = new Map<string, PlanGroup>()
  const addGroup = (title: string, id?: string): PlanGroup => {
    const group = { index: groups.length, id, title, items: [], gates: [], counts: noCounts() }
    groups.push(group)
    return group
  }
  for (const { id, title } of inOrder(plan.groups)) {
    const group = addGroup(plainText(title), id)
    if (!groupById.has(id)) groupById.set(id, group)
  }

  let ungrouped: PlanGroup | undefined
  const itemById = new Map<string, PlanItem>()
  for (const record of inOrder(plan.items)) {
    const { id, group_id: groupId, title, description = '', acceptance = [], status } = record
    const { claimed_by: by, finished } = record
    const group = groupById.get(groupId) ?? (ungrouped ??= addGroup('Without a group'))
    const item: PlanItem = {
      index: 0,
      id,
      title: plainText(title),
      description,
      acceptance,
      status,
      ready: false,
      // Where a host relays the plan, '' stands for none.
      holder: by?.user ? plainText(by.user) : undefined,
      proposal: finished?.proposal_id || undefined,
      group,
      before: [],
      after: [],
      conflicts: []
    }
    group.items.push(item)
    group.counts[item.status]++
    if (!itemById.has(id)) itemById.set(id, item)
  }
  const items = groups.flatMap((group) => group.items)
  for (const [index, item] of items.entries()) item.index = index

  const links: PlanLink[] = []
  const linkByPair = new Map<number, PlanLink>()
  for (const { item_id: waiting, depends_on: other, kind } of plan.dependencies) {
    const [from, to] = [itemById.get(other), itemById.get(waiting)]
    if (from === undefined || to === undefined || from === to) continue
    const key = from.index * items.length + to.index
    const same = linkByPair.get(key)
    if (same !== undefined) {
      if (kind === 'blocks') same.kind = kind
      continue
    }
    const link: PlanLink = { from, to, kind }
    linkByPair.set(key, link)
    links.push(link)
    from.after.push(link)
    to.before.push(link)
  }
  for (const item of items) {
    item.ready = item.status === 'todo' &&
      item.before.every(({ from, kind }) => kind === 'relates' || from.status === 'done')
  }

  const gates: PlanGate[] = []
  for (const { id, title, after_group_id: groupId, criteria, status } of plan.gates) {
    const group = groupById.get(groupId)
    if (group === undefined) continue
    const gate = { index: gates.length, id, title: plainText(title), status, criteria: criteria.map(plainText), group }
    gates.push(gate)
    group.gates.push(gate)
  }

  const conflicts = plan.conflicts.map((conflict, index): PlanConflict => {
    const involved = [...new Set(conflict.item_ids)].flatMap((id) => itemById.get(id) ?? [])
    const { id, description, severity, status, resolution = '' } = conflict
    return { index, id, items: involved, description, severity, status, resolution }
  })
  for (const conflict of conflicts) for (const item of conflict.items) item.conflicts.push(conflict)

  const counts = noCounts()
  for (const { status } of items) counts[status]++
  const ready = items.filter((item) => item.ready)
  return { groups, items, links, gates, conflicts, counts, ready }
}

export const hasOpenConflict = ({ conflicts }: PlanItem): boolean => conflicts.some(({ status }) => status === 'open')
