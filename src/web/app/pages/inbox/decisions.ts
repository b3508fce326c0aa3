/** What is done about entries of the inbox, and undone. Each decision is the ids of its rows in the history. */
import { call, type Sent } from '../../api/call.js'
import { RequestError } from '../../api/problem.js'
import type { Entry } from './entry-words.js'

export type Changes = NonNullable<Entry['proposal']>['changes']
export type Decision = readonly string[]
type Version = NonNullable<Sent<'POST /proposals/:id/acceptance'>>['changes']

const OPEN = { kind: 'set_gate', status: 'open' } as const

/**
 * Accepts a proposal, in the person's own version if there is one; opens a gate again; ends a claim.
 * @throws {RequestError} also for a proposal that no longer holds
 */
export const accept = async ({ kind, id, exploration }: Entry, version?: Changes): Promise<Decision> => {
  if (kind === 'gate' || kind === 'lease') {
    const { rows } = await call('POST /explorations/:id/changes', {
      params: { id: exploration.id },
      body: { changes: [kind === 'gate' ? { ...OPEN, gate_id: id } : { kind: 'release_item', item_id: id }] }
    })
    return rows.map((row) => row.id)
  }
  // The kinds and members are those of the proposal.
  const changes = version?.map(({ place, effect, ...change }) => change) as Version
  const { state, rows = [] } = await call('POST /proposals/:id/acceptance', {
    params: { id }, body: changes ? { changes } : null
  })
  if (state === 'accepted') return rows
  throw new RequestError('It has changed since this was proposed, so nothing was done.', 409)
}

/** Dismisses a proposal. @throws {RequestError} */
export const dismiss = async ({ id }: Entry, reason: string): Promise<Decision> =>
  (await call('POST /proposals/:id/dismissal', { params: { id }, body: { reason } })).rows ?? []

/** Answers a question. @throws {RequestError} */
export const answer = async ({ id, exploration }: Entry, text: string): Promise<Decision> => (await call(
  'POST /explorations/:id/questions/:question/answer', { params: { id: exploration.id, question: id }, body: { text } }
)).rows
