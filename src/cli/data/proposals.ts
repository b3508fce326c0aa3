/** `proposals list|accept|dismiss`, `questions answer`: people decide about what agents propose and ask. */
import type { ResponseOf } from '../../administration/operation.js'
import type { SocketOperations } from '../../administration/operations.js'
import { pluralize } from '../../lib/text/text.js'
import { listed, managed, rowsOfPages } from '../managed.js'
import { brief, stripControlChars } from '../print/print.js'

type Proposal = ResponseOf<SocketOperations['GET /proposals']>['proposals'][number]

const kindsOf = ({ changes }: Proposal): string => [...new Set(changes.map(({ kind }) => kind))].join(', ')

/** Prints proposals, newest first: of all workspaces and states, or of those given. */
export const list = listed(
  (api, { workspace, state }: { workspace?: string, state?: Proposal['state'] }) => rowsOfPages(async (cursor) => {
    const { proposals: rows, next_cursor: next } =
      await api.call('GET /proposals', { query: { workspace, state, cursor } })
    return { rows, next }
  }),
  [
    ['ID', ({ id }) => id], ['STATE', (proposal) => proposal.state], ['EXPLORATION', (one) => one.exploration_id],
    ['CHANGES', (proposal) => `${proposal.changes.length}: ${kindsOf(proposal)}`],
    ['RATIONALE', ({ rationale }) => rationale && brief(rationale)], ['CONFIDENCE', ({ confidence }) => confidence],
    ['BY', ({ proposed_by: { user, credential } }) => [user, credential].filter(Boolean).join(' · ')],
    ['AT', ({ created_at: at }) => at], ['DECIDED BY', ({ decided_by: by }) => by],
    ['REASON', ({ reason }) => reason && brief(reason)]
  ], 'There are no proposals.'
)

/**
 * Accepts a proposal in the name of a person. One whose target has moved is superseded instead.
 * @throws {Refusal} when it is not open, or the person may not
 */
export const accept = managed(
  (api, { id, user }: { id: string, user: string }) =>
    api.callAs(user, 'POST /proposals/:id/acceptance', { params: { id } }),
  (proposal) => proposal.state === 'accepted'
    ? `Accepted ${proposal.id}: ${pluralize(proposal.changes.length, 'change')} ` +
      `(${stripControlChars(kindsOf(proposal))}).`
    : `Not accepted: what ${proposal.id} changes is not as it was, so it is superseded.`
)

/**
 * Dismisses a proposal in the name of a person.
 * @throws as `accept`
 */
export const dismiss = managed(
  (api, { id, user, reason }: { id: string, user: string, reason: string }) =>
    api.callAs(user, 'POST /proposals/:id/dismissal', { params: { id }, body: { reason } }),
  ({ id }) => `Dismissed ${id}.`
)

interface AnswerOptions { id: string, exploration: string, user: string, text: string }

/**
 * Answers a question in the name of a person.
 * @throws {Refusal} when there is no such question, or the person may not
 */
export const answer = managed(
  (api, { id, exploration, user, text }: AnswerOptions) => api.callAs(
    user, 'POST /explorations/:id/questions/:question/answer',
    { params: { id: exploration, question: id }, body: { text } }),
  ({ question }) => `Answered: ${stripControlChars(question)}`
)
