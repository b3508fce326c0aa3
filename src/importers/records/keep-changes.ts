/**
 * Keeps what was changed here when an import says otherwise: the imported value becomes a proposal, which a person
 * decides. Items keep their revisions, claims and evidence.
 */
import type { Queryable } from '../../db/sql/database.js'
import { overWith } from '../../planning/changes/complete-item.js'
import type { ExecutionPlanLine, PlanItem } from '../../planning/records.js'
import { conflictOf, differing, fieldsOf, type ImportConflict } from './import-conflict.js'
import { keepParts } from './keep-parts.js'

/**
 * What an import does about a value that was changed here and that it contradicts: it proposes its own, or replaces
 * ours; `follow` leaves what its file has not changed to be written there, and `own` does so for an import of nothing
 * but what was written there.
 */
export type OverChanges = 'propose' | 'replace' | 'follow' | 'own'

interface StoredItem extends Omit<PlanItem, 'description' | 'acceptance'> {
  exploration_id: string
  description: string | null
  acceptance: PlanItem['acceptance'] | null
  revision: number
  finished: unknown
  status_before_question: string | null
  changed_here: string[]
  imported_status: PlanItem['status'] | null
  is_held: boolean
}
type WrittenItem = PlanItem &
  Partial<Pick<StoredItem, 'finished' | 'status_before_question' | 'changed_here' | 'imported_status'>>
export type WrittenPlan = Omit<ExecutionPlanLine, 'items'> & { items: WrittenItem[], changed_parts?: string[] }

const STORED = `
  select t.exploration_id, t.id, t.group_id, t.title, t.description, t.status, t."order", t.acceptance, t.evidence,
    t.repository, t.source, t.revision, t.finished, t.status_before_question, t.changed_here,
    t.imported_status,
    exists (select from leases l where l.exploration_id = t.exploration_id and l.item_id = t.id and not l.lapsed
      and l.until > now()) as is_held
  from plan_items t where t.exploration_id = any($1::uuid[])`

/** Fields whose imported value can be proposed. */
const TEXTS = ['title', 'description', 'status', 'acceptance'] as const

export interface ImportedItem { exploration_id: string, item_id: string }

/** What an import comes upon: what it says otherwise, and the items that it completes. */
export interface ImportFindings { conflicts: ImportConflict[], completed: ImportedItem[] }

export const keepItems = async (
  tx: Queryable, plans: readonly ExecutionPlanLine[], over: OverChanges, { conflicts, completed }: ImportFindings
): Promise<WrittenPlan[]> => {
  const rows = await tx.query<StoredItem>(STORED, [plans.map(({ exploration_id: id }) => id)])
  const stored = new Map<string, Map<string, StoredItem>>()
  for (const row of rows) {
    const of = row.exploration_id
    stored.set(of, (stored.get(of) ?? new Map<string, StoredItem>()).set(row.id, row))
  }
  const written = plans.map((plan): WrittenPlan => {
    const of = plan.exploration_id.toLowerCase()
    const before = stored.get(of) ?? new Map<string, StoredItem>()
    const groups = new Set(plan.groups.map(({ id }) => id))
    const items = plan.items.map((item): WrittenItem => {
      const old = before.get(item.id)
      before.delete(item.id)
      if (!old) return { ...item, imported_status: item.status }
      const kept = keepItem(item, old, groups, over, conflicts)
      if (kept.status === 'done' && old.status !== 'done') completed.push({ exploration_id: of, item_id: item.id })
      return kept
    })
    const added = [...before.values()].filter((item) =>
      over !== 'replace' && isAdded(item) && groups.has(item.group_id))
    return { ...plan, items: [...items, ...added.map(toItem)] }
  })
  return over === 'replace' ? written : await keepParts(tx, written, over === 'propose', conflicts)
}

const isAdded = ({ changed_here: changed }: StoredItem): boolean =>
  changed.includes('group_id') && changed.includes('title')

/** Whether a file that says otherwise does not contradict: it cannot say it, or has not been written yet. */
const isPending = (field: typeof TEXTS[number], item: PlanItem, old: StoredItem, over: OverChanges): boolean => {
  if (field !== 'status') return item[field] === undefined
  const isUnderWay = item.status === 'todo' && (old.status === 'in_progress' || old.status === 'blocked')
  return isUnderWay || (over !== 'propose' && item.status === old.imported_status)
}

const keepItem = (
  item: PlanItem, old: StoredItem, groups: ReadonlySet<string>, over: OverChanges, conflicts: ImportConflict[]
): WrittenItem => {
  const replace = over === 'replace'
  const { exploration_id: of, changed_here: changed } = old
  // A file may say more of an added item than was said here: which task it is part of.
  const isSaid = (field: typeof TEXTS[number]): boolean => field === 'description' && isAdded(old) &&
    item.description?.endsWith(old.description ?? '') === true
  const texts = replace ? [] : differing(TEXTS.filter((field) => changed.includes(field) && !isSaid(field)), item, old)
  const isMoved = !replace && changed.includes('group_id') && groups.has(old.group_id) &&
    old.group_id !== item.group_id
  // What is under way stays so, although the file does not know of it.
  const isUnderWay = !replace && (old.is_held || old.finished !== null) && item.status === 'todo' &&
    old.status === 'in_progress'
  const kept: WrittenItem = {
    ...item,
    ...fieldsOf(old, texts),
    ...isMoved && { group_id: old.group_id, order: old.order },
    ...isUnderWay && { status: old.status }
  }
  // An item that another one was put before is as it was: who has read it need not read it again.
  const isSame = differing([...TEXTS, 'group_id'], kept, old).length === 0
  const pending = texts.filter((field) => isPending(field, item, old, over))
  if (texts.length > 0) {
    conflicts.push(conflictOf(of, { kind: 'edit_item', item_id: item.id }, texts, item, old, pending))
  }
  if (isMoved) {
    const move = conflictOf(of, { kind: 'move_item', item_id: item.id }, ['group_id'], item, old)
    conflicts.push({ ...move, base: fieldsOf(old, ['group_id', 'order']) })
  }
  return {
    ...kept,
    evidence: item.evidence ?? old.evidence,
    revision: isSame ? old.revision : old.revision + 1,
    finished: old.finished,
    status_before_question: old.status_before_question,
    ...kept.status !== old.status && overWith(kept.status),
    changed_here: [...texts, ...isMoved ? ['group_id'] : []],
    imported_status: item.status
  }
}

const toItem = ({ exploration_id: _, is_held: held, description, acceptance, ...item }: StoredItem): WrittenItem => ({
  ...item, ...(description !== null && { description }), ...(acceptance && { acceptance })
})
