/** `proposals list|accept|dismiss`, `questions answer`: people decide about what agents propose and ask. */
import type { ResponseOf } from '../../administration/operation.js'
import type { SocketOperations } from '../../administration/operations.js'
import { pluralize } from '../../lib/text/text.js'
import type { CommandHandler } from '../command-handler.js'
import { brief, print, printList, stripControlChars } from '../print/print.js'
import { withManagement } from '../with-management.js'

type Proposal = ResponseOf<SocketOperations['GET /proposals']>['proposals'][number]

const kindsOf = ({ changes }: Proposal): string => [...new Set(changes.map(({ kind }) => kind))].join(', ')

/** Prints proposals, newest first: of all workspaces and states, or of those given. */
export const list: CommandHandler<{ workspace?: string, state?: Proposal['state'] }> = async (
  { workspace, state, json }, context, flags
) => {
  const { proposals } = await withManagement(context, flags, (api) =>
    api.call('GET /proposals', { query: { workspace, state } }))
  printList({ ...context, json }, proposals, [
    ['ID', ({ id }) => id], ['STATE', (proposal) => proposal.state], ['EXPLORATION', (one) => one.exploration_id],
    ['CHANGES', (proposal) => `${proposal.changes.length}: ${kindsOf(proposal)}`],
    ['RATIONALE', ({ rationale }) => rationale && brief(rationale)], ['CONFIDENCE', ({ confidence }) => confidence],
    ['BY', ({ proposed_by: { user, credential } }) => [user, credential].filter(Boolean).join(' · ')],
    ['AT', ({ created_at: at }) => at], ['DECIDED BY', ({ decided_by: by }) => by],
    ['REASON', ({ reason }) => reason && brief(reason)]
  ], 'There are no proposals.')
}

/**
 * Accepts a proposal in the name of a person. One whose target has moved is superseded instead.
 * @throws {Refusal} when it is not open, or the person may not
 */
export const accept: CommandHandler<{ id: string, user: string }> = async ({ id, user, json }, context, flags) => {
  const accepted = await withManagement(context, flags, (api) =>
    api.callAs(user, 'POST /proposals/:id/acceptance', { params: { id } }))
  const what = `${pluralize(accepted.changes.length, 'change')} (${stripControlChars(kindsOf(accepted))})`
  print({ ...context, json }, accepted, accepted.state === 'accepted'
    ? `Accepted ${accepted.id}: ${what}.`
    : `Not accepted: what ${accepted.id} changes is not as it was, so it is superseded.`)
}

/**
 * Dismisses a proposal in the name of a person.
 * @throws as `accept`
 */
export const dismiss: CommandHandler<{ id: string, user: string, reason: string }> = async (
  { id, user, reason, json }, context, flags
) => {
  const dismissed = await withManagement(context, flags, (api) =>
    api.callAs(user, 'POST /proposals/:id/dismissal', { params: { id }, body: { reason } }))
  print({ ...context, json }, dismissed, `Dismissed ${dismissed.id}.`)
}

interface AnswerOptions { id: string, exploration: string, user: string, text: string }

/**
 * Answers a question in the name of a person.
 * @throws {Refusal} when there is no such question, or the person may not
 */
export const answer: CommandHandler<AnswerOptions> = async (
  { id, exploration, user, text, json }, context, flags
) => {
  const answered = await withManagement(context, flags, (api) => api.callAs(
    user, 'POST /explorations/:id/questions/:question/answer',
    { params: { id: exploration, question: id }, body: { text } }))
  print({ ...context, json }, answered, `Answered: ${stripControlChars(answered.question)}`)
}
