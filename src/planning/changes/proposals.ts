/** Proposals: what agents would change, for a person to decide. */
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '../../lib/errors.js'
import type { Change } from './change.js'
import { noteOf } from './notes.js'
import type { Answer, NewHistory } from './change-store.js'
import { applyChange, baseOf, requireMembers, targetOf } from './change-kinds.js'
import type { Author, Proposal, ProposedChange } from './records.js'
import { WriteRefusal } from './refusals.js'

const MAX_OPEN = 100

export interface ProposalInput { changes: ProposedChange[], rationale: string, confidence?: Proposal['confidence'] }

/** Proposes changes. @throws {Refusal} when one of them cannot be made */
export const proposeChange = async (
  change: Change, { changes, rationale, confidence }: ProposalInput
): Promise<Answer> => {
  const id = randomUUID()
  await createProposal(change, { id, changes: changes.map(requireMembers), rationale, confidence })
  return { proposal_id: id, state: 'open' }
}

/** Adds an open proposal. @throws {WriteRefusal} `too_many_open` */
export const createProposal = async (
  change: Change,
  { id, changes, rationale, confidence }: Partial<ProposalInput> & { id: string, changes: ProposedChange[] }
): Promise<void> => {
  const credential = change.actor?.credential?.id ?? null
  if (credential !== null && await change.store.count('proposals', credential, MAX_OPEN) >= MAX_OPEN) {
    throw new WriteRefusal('too_many_open', `${MAX_OPEN} proposals of this credential are open: wait until people ` +
      'have decided some of them.')
  }
  const base = []
  for (const made of changes) base.push(await baseOf(change, made))
  await change.set('proposal', id, {
    id,
    state: 'open',
    changes,
    base,
    rationale: rationale ?? null,
    confidence: confidence ?? null,
    proposed_by: change.author,
    credential_id: credential,
    created_at: new Date().toISOString(),
    edited: false,
    decided_by: null,
    decided_at: null,
    reason: null
  })
}

/** Accepts an open proposal, or the actor's version of it; one that no longer holds is superseded instead. */
export const acceptProposal = async (change: Change, id: string, given?: readonly ProposedChange[]): Promise<void> => {
  const { changes, base, proposed_by: by } = await openProposal(change, id)
  const version = given?.map(requireMembers)
  const about = (made: ProposedChange): unknown => [made.kind, targetOf(made, change.place.exploration)]
  if (version && !isDeepStrictEqual(version.map(about), changes.map(about))) {
    throw new Refusal('Your version needs as many changes as the proposal, of its kinds and records, in its order.')
  }
  const decided = { decided_by: change.author.user, decided_at: new Date().toISOString() }
  if (!await holds(change, changes, base)) {
    await supersedeOne(change, id)
    return
  }
  const applied = []
  for (const made of version ?? changes) {
    if (version) await baseOf(change, made)
    applied.push(await applyChange(change, made, by))
  }
  await change.set('proposal', id, { state: 'accepted', changes: applied, edited: version !== undefined, ...decided }, {
    events: [{ kind: 'proposal_accepted', proposal_id: id }]
  })
}

/** Dismisses an open proposal. An item that waited for it can be claimed again, and the reason is a note. */
export const dismissProposal = async (change: Change, id: string, reason: string): Promise<void> => {
  const { changes } = await openProposal(change, id)
  await change.set('proposal', id, {
    state: 'dismissed', reason, decided_by: change.author.user, decided_at: new Date().toISOString()
  }, { events: [{ kind: 'proposal_dismissed', proposal_id: id, text: reason }] })
  for (const { kind, item_id: item } of changes) {
    if (kind !== 'complete_item' || typeof item !== 'string') continue
    await change.set('item', item, { finished: null }, { also: await noteOf(change, item, reason) })
  }
}

const openProposal = async (
  change: Change, id: string
): Promise<{ changes: ProposedChange[], base: unknown[], proposed_by: Author }> => {
  const proposal = await change.store.read('proposal', id)
  if (!proposal) throw new Refusal(`There is no proposal ${JSON.stringify(id)}.`, 'not_found')
  const { state } = proposal
  if (state !== 'open') throw new Refusal(`The proposal is ${String(state)} already.`, 'conflict')
  // The columns of a proposal.
  return proposal as unknown as { changes: ProposedChange[], base: unknown[], proposed_by: Author }
}

/** Whether all that changes are made from is as it was. */
export const holds = async (
  change: Change, changes: readonly ProposedChange[], base: readonly unknown[]
): Promise<boolean> => {
  for (const [index, made] of changes.entries()) {
    const now = await baseOf(change, made).catch((error: unknown) => {
      if (error instanceof Refusal) return GONE
      throw error
    })
    if (!isDeepStrictEqual(now, base[index] ?? null)) return false
  }
  return true
}

const GONE = Symbol('gone')

const supersedeOne = (change: Change, id: string): Promise<void> =>
  change.set('proposal', id, { state: 'superseded' }, { events: [{ kind: 'proposal_superseded', proposal_id: id }] })

/** Supersedes open proposals that no longer hold: all, as after an import, or those that name one of these. */
export const supersedeAll = async (change: Change, moved?: ReadonlySet<string>): Promise<void> => {
  for (const { id, changes, base } of await change.store.openProposals(moved && [...moved])) {
    if (!await holds(change, changes, base)) await supersedeOne(change, id)
  }
}

/** Kinds of records that no proposal is made from. */
const ASIDE = new Set(['note', 'proposal', 'recommendation'])

export const supersede = async (change: Change, rows: readonly NewHistory[]): Promise<void> => {
  const moved = new Set(rows.filter(({ kind }) => !ASIDE.has(kind)).map(({ target }) => target))
  if (moved.size > 0) await supersedeAll(change, moved)
}
