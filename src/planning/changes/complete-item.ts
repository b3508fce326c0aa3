/** Setting the status of an item, and what is over and ready with it: for agents, people and imports. */
import type { Change } from './change.js'
import type { ChangeStore } from './change-store.js'
import { noteOf } from './notes.js'
import type { Evidence } from '../records.js'
import type { Author, ChangeEvent, ItemState, Lease } from './records.js'

const MAX_EVIDENCE = 200

export const isLive = (lease: Lease | null): lease is Lease =>
  lease !== null && !lease.lapsed && Date.parse(lease.until) > Date.now()

/** What `setStatus` keeps with the status; `by` wrote the note, where it is not who changes the item. */
export interface StatusFacts { evidence?: readonly Evidence[], note?: string | undefined, by?: Author }

/** What is over when an item has another status. One that is to do, or done, is held by no one. */
export const overWith = (status: ItemState['status']) => ({
  finished: null,
  // A question that blocks it may be open still.
  ...(status !== 'blocked' && { status_before_question: null }),
  ...(['todo', 'done'].includes(status) && { lease: null })
})

export const setStatus = async (
  change: Change, item: ItemState, status: ItemState['status'], { evidence = [], note, by }: StatusFacts = {}
): Promise<void> => {
  const marks = Array.isArray(item['changed_here']) ? item['changed_here'] : []
  await change.set('item', item.id, {
    status,
    ...overWith(status),
    evidence: withEvidence(item, evidence),
    // Also where a claim has set it: a claim is not written into the file of the item, a report is.
    changed_here: [...new Set([...marks, 'status'])]
  }, { also: await noteOf(change, item.id, note, by) })
  if (status !== 'done') return
  change.note(...await readyAfter(change.store, [item.id]))
}

/** What `get_changes` says of the items that are ready once those are done. */
export const readyAfter = async (store: ChangeStore, items: readonly string[]): Promise<ChangeEvent[]> =>
  (await store.readyAfter(items)).map((id) => ({ kind: 'item_ready', item_id: id }))

const withEvidence = (item: ItemState, evidence: readonly Evidence[]): Evidence[] | null => {
  const known = new Map([...item.evidence ?? [], ...evidence].map((one) => [JSON.stringify(one), one]))
  return known.size === 0 ? null : [...known.values()].slice(-MAX_EVIDENCE)
}
