/** Completing an item: one function for the reports of agents and the decisions of people. */
import type { Change } from './change.js'
import { noteOf } from './notes.js'
import type { Author, Evidence, ItemState, Lease } from './records.js'

const MAX_EVIDENCE = 200

/** Whether someone holds the item now. */
export const isLive = (lease: Lease | null): lease is Lease =>
  lease !== null && !lease.lapsed && Date.parse(lease.until) > Date.now()

/** Completes an item: it is held no longer, nothing about it waits, and others become ready. */
export const completeItem = async (
  change: Change, item: ItemState,
  { evidence, note, by }: { evidence: readonly Evidence[], note?: string | undefined, by?: Author }
): Promise<void> => {
  await change.set('item', item.id, {
    status: 'done',
    finished: null,
    status_before_question: null,
    lease: null,
    evidence: withEvidence(item, evidence)
  }, { also: await noteOf(change, item.id, note, by) })
  change.note(...(await change.store.readyAfter(item.id)).map((id) => ({ kind: 'item_ready' as const, item_id: id })))
}

/** The evidence of an item with some more. */
export const withEvidence = (item: ItemState, evidence: readonly Evidence[]): Evidence[] | null => {
  const known = new Map([...item.evidence ?? [], ...evidence].map((one) => [JSON.stringify(one), one]))
  return known.size === 0 ? null : [...known.values()].slice(-MAX_EVIDENCE)
}
