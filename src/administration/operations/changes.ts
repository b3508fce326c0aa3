/** What people change, what agents propose and ask, what changed and what waits: people decide, answer and undo. */
import shapes from '#schemas/operations/changes.json' with { type: 'json' }
import paths from '#schemas/operations/paths.json' with { type: 'json' }
import { row, tagged } from '../operation.js'
import { EDITORS, EDITORS_OR_OPERATOR, READERS, READERS_OR_OPERATOR } from '../permission.js'

/** The operator decides in the name of a person, who needs the role too. */
export const changesOperations = tagged('changes', {
  'POST /explorations': row('createExploration', 'Make an exploration, with a package if there is one already', EDITORS,
    { body: shapes.newExploration, bodyLimit: 8 * 1024 * 1024, response: shapes.createdExploration, status: 201 }),
  'POST /explorations/:id/changes': row('makeChanges',
    'Change an exploration, all or nothing; If-Match names the revision of the record that is replaced', EDITORS,
    { params: paths.exploration, body: shapes.changes, bodyLimit: 8 * 1024 * 1024, response: shapes.madeChanges }),
  'GET /explorations/:id/records/:kind/:record': row('getRecord', 'One record as it is, to edit it', EDITORS,
    { params: paths.record, response: shapes.record }),
  'GET /proposals': row('listProposals', 'What agents propose, newest first', EDITORS_OR_OPERATOR,
    { query: shapes.proposalsQuery, response: shapes.proposals }),
  'POST /proposals/:id/acceptance': row('acceptProposal',
    'Accept a proposal, or your version of it', EDITORS_OR_OPERATOR,
    { audit: ['proposal/accepted'], params: paths.change, body: shapes.proposalVersion, response: shapes.proposal }),
  'POST /proposals/:id/dismissal': row('dismissProposal', 'Dismiss a proposal, with a reason', EDITORS_OR_OPERATOR,
    { audit: ['proposal/dismissed'], params: paths.change, body: shapes.proposalDismissal, response: shapes.proposal }),
  'POST /explorations/:id/questions/:question/answer': row('answerQuestion', 'Answer a question', EDITORS_OR_OPERATOR,
    { audit: ['question/answered'], params: paths.question, body: shapes.answer, response: shapes.answeredQuestion }),
  'GET /explorations/:id/history': row('listHistory',
    'What changed in an exploration, newest first', READERS_OR_OPERATOR,
    { params: paths.exploration, query: shapes.historyQuery, response: shapes.history }),
  'POST /history/:id/undo': row('undoChange', 'Undo a change', EDITORS_OR_OPERATOR,
    { audit: ['history/undone'], params: paths.change, response: shapes.historyRow }),
  'GET /inbox': row('listInbox',
    'What waits for you: proposals, finished items, questions, failed gates, leases that have lapsed', EDITORS,
    { query: shapes.inboxQuery, response: shapes.inbox }),
  'GET /events': row('followChanges', 'Server-sent events: in which explorations something has changed', READERS,
    { produces: ['text/event-stream'] })
})
