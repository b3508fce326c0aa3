/**
 * Divides a plan into pages by item. Each page can be understood alone, and all pages together hold everything once: a
 * dependency goes with its item, a conflict with the first of its items, a gate or a group without items with the item
 * before it. An item that a page refers to is on that page, at least as a reference.
 */
import type { ExecutionPlan, PlanItem } from '../records.js'
import type { WritersItem } from '../store.js'

export type PlanPageGroup = ExecutionPlan['groups'][number]
export type PlanPageItem = PlanItem & Partial<WritersItem> & {
  /** To do, and all that it waits for is done. */
  ready?: true
  /** How many unfinished items wait for it, while it is not done itself. */
  blocks?: number
}
export type ReferencedItem = Pick<PlanPageItem, 'id' | 'title' | 'group_id' | 'status'>

export interface PlanPage {
  total_items: number
  groups: PlanPageGroup[]
  items: PlanPageItem[]
  dependencies: ExecutionPlan['dependencies']
  gates: ExecutionPlan['gates']
  conflicts: ExecutionPlan['conflicts']
  referenced_items: ReferencedItem[]
  next: number | undefined
}

// A page ends early when its items' texts exceed this many UTF-16 code units; it always holds at least one item.
const MAX_CHARS = 40_000

/** Returns the page that starts at item `start`, of the whole plan or of one group, with at most `limit` items. */
export const planPage = (
  plan: ExecutionPlan, { group, start, limit }: { group?: string | undefined, start: number, limit: number }
): PlanPage => {
  const groups = inOrder(plan.groups)
  const rank = new Map(groups.map(({ id }, index) => [id, index]))
  const selected = group === undefined ? groups : groups.filter(({ id }) => id === group)
  const rankOf = (item: { group_id: string }): number => rank.get(item.group_id) ?? groups.length
  const items = inOrder(markItems(plan).filter(({ group_id: id }) => group === undefined || id === group))
    .sort((a, b) => rankOf(a) - rankOf(b))
  const end = endOfPage(items, start, limit)
  const onPage = items.slice(start, end)

  const place = new Map(items.map(({ id }, index) => [id, index]))
  const here = (index: number): boolean => index >= start && (index < end || end === items.length)
  const groupPlace = firstPlaces(selected, items)

  const gates = plan.gates.filter(({ after_group_id: id }) => here(groupPlace.get(id) ?? -1))
  const dependencies = plan.dependencies.filter(({ item_id: id }) => here(place.get(id) ?? -1))
  const conflicts = plan.conflicts.filter(({ item_ids: ids }) => here(placeOfConflict(ids, place, group === undefined)))

  const shownItems = new Set(onPage.map(({ id }) => id))
  const referred = new Set([
    ...dependencies.map(({ depends_on: id }) => id), ...conflicts.flatMap(({ item_ids: ids }) => ids)
  ])
  const referenced = plan.items.filter(({ id }) => referred.has(id) && !shownItems.has(id))
    .map(({ id, title, group_id: groupId, status }) => ({ id, title, group_id: groupId, status }))

  const shownGroups = new Set([...onPage, ...referenced].map(({ group_id: id }) => id))
  return {
    total_items: items.length,
    groups: groups.filter(({ id }) => shownGroups.has(id) || here(groupPlace.get(id) ?? -1)),
    items: onPage,
    dependencies,
    gates,
    conflicts,
    referenced_items: referenced,
    next: end < items.length ? end : undefined
  }
}

export const markItems = ({ items, dependencies }: ExecutionPlan): PlanPageItem[] => {
  const unfinished = new Set(items.filter(({ status }) => status !== 'done').map(({ id }) => id))
  const waiting = dependencies.filter(({ item_id: item, depends_on: other, kind }) =>
    kind === 'blocks' && unfinished.has(other) && unfinished.has(item))
  const waits = new Set(waiting.map(({ item_id: item }) => item))
  const blocks = new Map<string, number>()
  for (const { depends_on: other } of waiting) blocks.set(other, (blocks.get(other) ?? 0) + 1)
  return items.map((item) => {
    const count = blocks.get(item.id)
    const ready = item.status === 'todo' && !waits.has(item.id)
    return { ...item, ...(ready && { ready }), ...(count !== undefined && { blocks: count }) }
  })
}

const inOrder = <Ordered extends { order: number }>(list: readonly Ordered[]): Ordered[] =>
  [...list].sort((a, b) => a.order - b.order)

const endOfPage = (items: readonly PlanPageItem[], start: number, limit: number): number => {
  let end = start
  let size = 0
  for (const { title, description = '', acceptance, evidence, notes } of items.slice(start, start + limit)) {
    size += title.length + description.length + JSON.stringify([acceptance, evidence, notes]).length
    if (size > MAX_CHARS && end > start) break
    end++
  }
  return end
}

/** Maps each group to the index of its first item; a group without items to the item before it, or 0. */
const firstPlaces = (groups: readonly PlanPageGroup[], items: readonly PlanPageItem[]): Map<string, number> => {
  const first = new Map<string, number>()
  const last = new Map<string, number>()
  for (const [index, { group_id: id }] of items.entries()) {
    if (!first.has(id)) first.set(id, index)
    last.set(id, index)
  }
  let before = 0
  for (const { id } of groups) {
    if (!first.has(id)) first.set(id, before)
    before = last.get(id) ?? before
  }
  return first
}

/** The index of a conflict's first item. A conflict without items belongs to the whole plan, so to its first page. */
const placeOfConflict = (ids: readonly string[], place: ReadonlyMap<string, number>, whole: boolean): number => {
  if (ids.length === 0) return whole ? 0 : -1
  const places = ids.flatMap((id) => place.get(id) ?? [])
  return places.length === 0 ? -1 : Math.min(...places)
}
