/**
 * Keeps what was changed here when an import says otherwise: the imported value becomes a proposal, which a person
 * decides. Work on items continues: their revisions, claims and evidence.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '../../db/sql/database.js'
import { overWith } from '../../planning/changes/complete-item.js'
import type { ExecutionPlanLine } from '../../planning/records.js'

/** An imported value that differs from what was changed here: the change of a proposal, and what it is made from. */
export interface ImportConflict {
  exploration_id: string
  change: { kind: string, [field: string]: unknown }
  base: unknown
}

/**
 * What an import does about a value that was changed here and that it contradicts: it proposes its own, or replaces
 * ours; `follow` leaves what its file has not changed to be written there, and `own` does so for an import of nothing
 * but what was written there.
 */
export type OverChanges = 'propose' | 'replace' | 'follow' | 'own'

type Item = ExecutionPlanLine['items'][number]
interface StoredItem extends Omit<Item, 'description' | 'acceptance'> {
  exploration_id: string
  description: string | null
  acceptance: Item['acceptance'] | null
  revision: number
  finished: unknown
  status_before_question: string | null
  changed_here: string[]
  imported_status: Item['status'] | null
  is_held: boolean
}
/** An item as it is written. */
export type WrittenItem = Item &
  Partial<Pick<StoredItem, 'finished' | 'status_before_question' | 'changed_here' | 'imported_status'>>
export type WrittenPlan = Omit<ExecutionPlanLine, 'items'> & { items: WrittenItem[] }

const STORED = `
  select t.exploration_id, t.id, t.group_id, t.title, t.description, t.status, t."order", t.acceptance, t.evidence,
    t.repository, t.source, t.revision, t.finished, t.status_before_question, t.changed_here,
    t.imported_status,
    exists (select from leases l where l.exploration_id = t.exploration_id and l.item_id = t.id and not l.lapsed
      and l.until > now()) as is_held
  from plan_items t where t.exploration_id = any($1::uuid[])`

/** Fields whose imported value can be proposed. */
const TEXTS = ['title', 'description', 'status', 'acceptance'] as const

/** Returns the plans as they are to be written, and what they would have overwritten. */
export const keepItems = async (
  tx: Queryable, plans: readonly ExecutionPlanLine[], over: OverChanges
): Promise<{ plans: WrittenPlan[], conflicts: ImportConflict[], completed: ImportedItem[] }> => {
  const rows = await tx.query<StoredItem>(STORED, [plans.map(({ exploration_id: id }) => id)])
  const stored = new Map<string, StoredItem[]>()
  for (const row of rows) stored.set(row.exploration_id, [...stored.get(row.exploration_id) ?? [], row])
  const conflicts: ImportConflict[] = []
  const written: WrittenPlan[] = []
  const agreed: ImportedItem[] = []
  const completed: ImportedItem[] = []
  for (const plan of plans) {
    const of = plan.exploration_id.toLowerCase()
    const before = new Map((stored.get(of) ?? []).map((item) => [item.id, item]))
    const groups = new Set(plan.groups.map(({ id }) => id))
    const items = plan.items.map((item): WrittenItem => {
      const old = before.get(item.id)
      if (!old) return { ...item, imported_status: item.status }
      const { kept, changes } = keepItem(item, old, groups, over)
      const named = { exploration_id: of, item_id: item.id }
      if (kept.changed_here?.length !== old.changed_here.length) agreed.push(named)
      if (kept.status === 'done' && old.status !== 'done') completed.push(named)
      conflicts.push(...changes.map((change) => ({ exploration_id: of, ...change })))
      return kept
    })
    const known = new Set(items.map(({ id }) => id))
    const isOwn = (item: StoredItem): boolean =>
      over !== 'replace' && !known.has(item.id) && isAdded(item) && groups.has(item.group_id)
    const own = [...before.values()].filter(isOwn)
    written.push({
      ...plan,
      items: [...items, ...own.map(toItem)],
      dependencies: [...plan.dependencies, ...own.length === 0 ? [] : await dependenciesOf(tx, of, own, known)]
    })
  }
  await supersedeImported(tx, agreed)
  return { plans: written, conflicts, completed }
}

export interface ImportedItem { exploration_id: string, item_id: string }

const SUPERSEDE = `
  with agreed as (
    update proposals set state = 'superseded'
    where exploration_id = $1::uuid and state = 'open' and proposed_by ->> 'user' = 'import'
      and changes -> 0 ->> 'item_id' = any($2::text[])
    returning exploration_id, id
  )
  insert into history (exploration_id, workspace_id, kind, target, before, after, events)
  select a.exploration_id, e.workspace_id, 'proposal', a.id, '{"state": "open"}', '{"state": "superseded"}',
    jsonb_build_array(jsonb_build_object('kind', 'proposal_superseded', 'proposal_id', a.id))
  from agreed a join explorations e on e.id = a.exploration_id`

/** The ids of the items by exploration. */
export const itemsByExploration = (items: readonly ImportedItem[]): Map<string, string[]> => {
  const byExploration = new Map<string, string[]>()
  for (const { exploration_id: id, item_id: item } of items) {
    byExploration.set(id, [...byExploration.get(id) ?? [], item])
  }
  return byExploration
}

/** Supersedes what imports propose for items whose files say now what was changed here. */
export const supersedeImported = async (tx: Queryable, agreed: readonly ImportedItem[]): Promise<void> => {
  for (const [exploration, items] of itemsByExploration(agreed)) await tx.query(SUPERSEDE, [exploration, items])
}

const isAdded = ({ changed_here: changed }: StoredItem): boolean =>
  changed.includes('group_id') && changed.includes('title')

/** Whether a file that says otherwise does not contradict: it cannot say it, or has not been written yet. */
const isPending = (field: typeof TEXTS[number], item: Item, old: StoredItem, over: OverChanges): boolean => {
  if (field !== 'status') return isAdded(old) && item[field] === undefined
  const isUnderWay = item.status === 'todo' && (old.status === 'in_progress' || old.status === 'blocked')
  return isUnderWay || (over !== 'propose' && item.status === old.imported_status)
}

const keepItem = (item: Item, old: StoredItem, groups: ReadonlySet<string>, over: OverChanges) => {
  const replace = over === 'replace'
  const kept: WrittenItem = { ...item }
  const edit: Record<string, unknown> = {}
  const base: Record<string, unknown> = {}
  const changes: Array<Omit<ImportConflict, 'exploration_id'>> = []
  const changedHere: string[] = []
  for (const field of replace ? [] : TEXTS) {
    if (!old.changed_here.includes(field) || isDeepStrictEqual(item[field] ?? null, old[field] ?? null)) continue
    Object.assign(kept, { [field]: old[field] ?? undefined })
    changedHere.push(field)
    if (isPending(field, item, old, over)) continue
    edit[field] = item[field] ?? null
    base[field] = old[field] ?? null
  }
  if (Object.keys(edit).length > 0) changes.push({ change: { kind: 'edit_item', item_id: item.id, ...edit }, base })
  if (!replace && old.changed_here.includes('group_id') && groups.has(old.group_id) && old.group_id !== item.group_id) {
    Object.assign(kept, { group_id: old.group_id, order: old.order })
    const change = { kind: 'move_item', item_id: item.id, group_id: item.group_id }
    changes.push({ change, base: { group_id: old.group_id, order: old.order } })
    changedHere.push('group_id')
  }
  // What is under way stays so, although the file does not know of it.
  const isUnderWay = old.is_held || old.finished !== null
  if (!replace && isUnderWay && item.status === 'todo' && old.status === 'in_progress') kept.status = 'in_progress'
  // An item that another one was put before is as it was: who has read it need not read it again.
  const isSame = (['title', 'description', 'status', 'acceptance', 'group_id'] as const)
    .every((field) => isDeepStrictEqual(kept[field] ?? null, old[field] ?? null))
  return {
    kept: {
      ...kept,
      evidence: item.evidence ?? old.evidence,
      revision: isSame ? old.revision : old.revision + 1,
      finished: old.finished,
      status_before_question: old.status_before_question,
      ...kept.status !== old.status && overWith(kept.status),
      changed_here: changedHere,
      imported_status: item.status
    } satisfies WrittenItem,
    changes
  }
}

const toItem = ({ exploration_id: _, is_held: held, description, acceptance, ...item }: StoredItem): WrittenItem => ({
  ...item, ...(description !== null && { description }), ...(acceptance && { acceptance })
})

/** Those of the items that were added here, as far as both of their items remain. */
const dependenciesOf = async (
  tx: Queryable, exploration: string, own: readonly StoredItem[], known: ReadonlySet<string>
): Promise<ExecutionPlanLine['dependencies']> => {
  const added = new Set(own.map(({ id }) => id))
  const rows = await tx.query<ExecutionPlanLine['dependencies'][number]>(
    'select item_id, depends_on, kind from plan_dependencies where exploration_id = $1::uuid', [exploration])
  return rows.filter(({ item_id: item, depends_on: on }) => (added.has(item) || added.has(on)) &&
    [item, on].every((id) => added.has(id) || known.has(id)))
}

const PROPOSE = `
  insert into proposals (exploration_id, id, state, changes, base, rationale, proposed_by)
  select r.exploration_id, gen_random_uuid(), 'open', jsonb_build_array(r.change), jsonb_build_array(r.base),
    'An import says so; it was changed here since the last one.', '{"user": "import"}'
  from jsonb_to_recordset($1::jsonb) as r (exploration_id uuid, change jsonb, base jsonb)
  where not exists (select from proposals p where p.exploration_id = r.exploration_id
    and p.state in ('open', 'dismissed') and p.changes = jsonb_build_array(r.change))`

/** Proposes the imported values, but for those that are proposed or dismissed already. */
export const proposeImported = async (tx: Queryable, conflicts: readonly ImportConflict[]): Promise<void> => {
  if (conflicts.length > 0) await tx.query(PROPOSE, [JSON.stringify(conflicts)])
}
