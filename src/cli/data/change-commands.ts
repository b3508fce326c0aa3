/** `proposals`, `questions`, `history` and `undo`: people decide about what agents propose, ask and change. */
import { Option, type Command } from 'commander'
import type { ResponseOf } from '../../administration/operation.js'
import type { SocketOperations } from '../../administration/operations.js'
import { pluralize } from '../../lib/text/text.js'
import type { AddCommand } from '../add-command.js'
import { listed, managed, rowsOfPages } from '../managed.js'
import { limit, WORKSPACE } from '../option-values.js'
import { brief, stripControlChars } from '../print/print.js'

type Proposal = ResponseOf<SocketOperations['GET /proposals']>['proposals'][number]
type HistoryRow = ResponseOf<SocketOperations['GET /explorations/:id/history']>['history'][number]

const DECIDER = ['--user <user>', 'the editor or admin of the workspace who decides: id or e-mail address'] as const
interface Decision { id: string, user: string }

const kindsOf = ({ changes }: Proposal): string => [...new Set(changes.map(({ kind }) => kind))].join(', ')

export const proposalCommands = (root: Command, command: AddCommand): void => {
  const proposals = root.command('proposals').description('what agents propose to change')
  command(proposals, 'list', 'list proposals, newest first', listed(
    (api, { workspace, state }: { workspace?: string, state?: Proposal['state'] }) => rowsOfPages(async (cursor) => {
      const { proposals: rows, next_cursor: next } =
        await api.call('GET /proposals', { query: { workspace, state, cursor } })
      return { rows, next }
    }), [
      ['ID', ({ id }) => id], ['STATE', ({ state }) => state], ['EXPLORATION', ({ exploration_id: id }) => id],
      ['CHANGES', (proposal) => `${proposal.changes.length}: ${kindsOf(proposal)}`],
      ['RATIONALE', ({ rationale }) => rationale && brief(rationale)], ['CONFIDENCE', ({ confidence }) => confidence],
      ['BY', ({ proposed_by: { user, credential } }) => [user, credential].filter(Boolean).join(' · ')],
      ['AT', ({ created_at: at }) => at], ['DECIDED BY', ({ decided_by: by }) => by],
      ['REASON', ({ reason }) => reason && brief(reason)]
    ], 'There are no proposals.'))
    .option(...WORKSPACE)
    .addOption(new Option('--state <state>', 'all when absent')
      .choices(['open', 'accepted', 'dismissed', 'superseded']))
  command(proposals, 'accept <id>', 'accept a proposal', managed(
    (api, { id, user }: Decision) => api.callAs(user, 'POST /proposals/:id/acceptance', { params: { id } }),
    (proposal) => proposal.state === 'accepted'
      ? `Accepted ${proposal.id}: ${pluralize(proposal.changes.length, 'change')} ` +
        `(${stripControlChars(kindsOf(proposal))}).`
      : `Not accepted: what ${proposal.id} changes is not as it was, so it is superseded.`
  )).requiredOption(...DECIDER)
  command(proposals, 'dismiss <id>', 'dismiss a proposal', managed(
    (api, { id, user, reason }: Decision & { reason: string }) =>
      api.callAs(user, 'POST /proposals/:id/dismissal', { params: { id }, body: { reason } }),
    ({ id }) => `Dismissed ${id}.`
  ))
    .requiredOption(...DECIDER)
    .requiredOption('--reason <text>', 'why; the agent reads it')

  const questions = root.command('questions').description('what agents ask')
  command(questions, 'answer <id>', 'answer a question', managed(
    (api, { id: question, exploration: id, user, text }: Decision & { exploration: string, text: string }) =>
      api.callAs(user, 'POST /explorations/:id/questions/:question/answer', {
        params: { id, question }, body: { text }
      }),
    ({ question }) => `Answered: ${stripControlChars(question)}`
  ))
    .requiredOption('--exploration <id>', 'the exploration that it is about')
    .requiredOption(...DECIDER)
    .requiredOption('--text <text>', 'the answer')
}

const fieldsOf = (state: HistoryRow['before']): string | undefined => state === null
  ? undefined
  : brief(Object.entries(state).map(([field, value]) => `${field} ${JSON.stringify(value)}`).join(', '))

const targetOf = ({ target: { kind, id } }: HistoryRow): string => `${kind} ${id}`

export const historyCommands = (root: Command, command: AddCommand): void => {
  command(root, 'history', 'list what changed in an exploration, newest first', listed(
    (api, { exploration: id, limit, before }: { exploration: string, limit: number, before?: string }) => rowsOfPages(
      async (cursor, wanted) => {
        const { history: rows, next_cursor: next } = await api.call('GET /explorations/:id/history', {
          params: { id }, query: { limit: wanted, before: cursor }
        })
        return { rows, next }
      }, { from: before, limit }), [
      ['ID', ({ id }) => id], ['AT', ({ at }) => at],
      ['BY', ({ user, credential }) => [user, credential].filter(Boolean).join(' · ') || 'the server'],
      ['TOOL', ({ tool }) => tool], ['WHAT', targetOf], ['BEFORE', (row) => fieldsOf(row.before)],
      ['AFTER', ({ after }) => fieldsOf(after)], ['UNDOES', ({ undoes }) => undoes]
    ], 'Nothing has changed since it was imported.'))
    .requiredOption('--exploration <id>', 'its id')
    .addOption(new Option('--limit <number>', 'the maximum number of changes').default(100).argParser(limit))
    .option('--before <cursor>', 'the id of a change: only older ones')
  command(root, 'undo <id>', 'undo a change of a history', managed(
    (api, { id, user }: Decision) => api.callAs(user, 'POST /history/:id/undo', { params: { id } }),
    (row, { id }) => `Undone: ${stripControlChars(targetOf(row))} is as before change ${stripControlChars(id)}.`
  )).requiredOption(...DECIDER)
}
