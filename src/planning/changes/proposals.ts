/** Proposals: what agents would change, for a person to decide. */
import type { Change } from './change.js'
import type { ProposedChange } from './records.js'
import { WriteRefusal } from './refusals.js'

const MAX_OPEN = 100

interface NewProposal { id: string, changes: ProposedChange[], rationale?: string, confidence?: string }

/** Adds an open proposal. @throws {WriteRefusal} `too_many_open` */
export const createProposal = async (
  change: Change, { id, changes, rationale, confidence }: NewProposal
): Promise<void> => {
  const credential = change.actor.credential?.id ?? null
  if (credential !== null && await change.store.count('proposals', credential, MAX_OPEN) >= MAX_OPEN) {
    throw new WriteRefusal('too_many_open', `${MAX_OPEN} proposals of this credential are open: wait until people ` +
      'have decided some of them.')
  }
  await change.set('proposal', id, {
    id,
    state: 'open',
    changes,
    base: [],
    rationale: rationale ?? null,
    confidence: confidence ?? null,
    proposed_by: change.author,
    credential_id: credential,
    created_at: new Date().toISOString(),
    decided_by: null,
    decided_at: null,
    reason: null
  })
}
