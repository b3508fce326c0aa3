/** What people change, what agents propose and ask, what changed and what waits: people decide, answer and undo. */
import answeredQuestion from '#schemas/web/answered_question.json' with { type: 'json' }
import changePath from '#schemas/web/change_path.json' with { type: 'json' }
import changes from '#schemas/web/changes.json' with { type: 'json' }
import createdExploration from '#schemas/web/created_exploration.json' with { type: 'json' }
import explorationPath from '#schemas/web/exploration_path.json' with { type: 'json' }
import history from '#schemas/web/history.json' with { type: 'json' }
import historyQuery from '#schemas/web/history_query.json' with { type: 'json' }
import historyRow from '#schemas/web/history_row.json' with { type: 'json' }
import inbox from '#schemas/web/inbox.json' with { type: 'json' }
import inboxQuery from '#schemas/web/inbox_query.json' with { type: 'json' }
import madeChanges from '#schemas/web/made_changes.json' with { type: 'json' }
import newExploration from '#schemas/web/new_exploration.json' with { type: 'json' }
import proposal from '#schemas/web/proposal.json' with { type: 'json' }
import proposalDismissal from '#schemas/web/proposal_dismissal.json' with { type: 'json' }
import proposals from '#schemas/web/proposals.json' with { type: 'json' }
import proposalsQuery from '#schemas/web/proposals_query.json' with { type: 'json' }
import proposalVersion from '#schemas/web/proposal_version.json' with { type: 'json' }
import questionAnswer from '#schemas/web/question_answer.json' with { type: 'json' }
import questionPath from '#schemas/web/question_path.json' with { type: 'json' }
import record from '#schemas/web/record.json' with { type: 'json' }
import recordPath from '#schemas/web/record_path.json' with { type: 'json' }
import { row, tagged } from '../operation.js'
import { EDITORS, EDITORS_OR_OPERATOR, READERS, READERS_OR_OPERATOR } from '../permission.js'

/** The operator decides in the name of a person, who needs the role too. */
export const changesOperations = tagged('changes', {
  'POST /explorations': row('createExploration', 'Make an exploration, with a package if there is one already', EDITORS,
    { body: newExploration, bodyLimit: 8 * 1024 * 1024, response: createdExploration, status: 201 }),
  'POST /explorations/:id/changes': row('makeChanges',
    'Change an exploration, all or nothing; If-Match names the revision of the record that is replaced', EDITORS,
    { params: explorationPath, body: changes, bodyLimit: 8 * 1024 * 1024, response: madeChanges }),
  'GET /explorations/:id/records/:kind/:record': row('getRecord', 'One record as it is, to edit it', EDITORS,
    { params: recordPath, response: record }),
  'GET /proposals': row('listProposals', 'What agents propose, newest first', EDITORS_OR_OPERATOR,
    { query: proposalsQuery, response: proposals }),
  'POST /proposals/:id/acceptance': row('acceptProposal',
    'Accept a proposal, or your version of it', EDITORS_OR_OPERATOR,
    { audit: ['proposal/accepted'], params: changePath, body: proposalVersion, response: proposal }),
  'POST /proposals/:id/dismissal': row('dismissProposal', 'Dismiss a proposal, with a reason', EDITORS_OR_OPERATOR,
    { audit: ['proposal/dismissed'], params: changePath, body: proposalDismissal, response: proposal }),
  'POST /explorations/:id/questions/:question/answer': row('answerQuestion', 'Answer a question', EDITORS_OR_OPERATOR,
    { audit: ['question/answered'], params: questionPath, body: questionAnswer, response: answeredQuestion }),
  'GET /explorations/:id/history': row('listHistory',
    'What changed in an exploration, newest first', READERS_OR_OPERATOR,
    { params: explorationPath, query: historyQuery, response: history }),
  'POST /history/:id/undo': row('undoChange', 'Undo a change', EDITORS_OR_OPERATOR,
    { audit: ['history/undone'], params: changePath, response: historyRow }),
  'GET /inbox': row('listInbox',
    'What waits for you: proposals, finished items, questions, failed gates, leases that have lapsed', EDITORS,
    { query: inboxQuery, response: inbox }),
  'GET /events': row('followChanges', 'Server-sent events: in which explorations something has changed', READERS,
    { produces: ['text/event-stream'] })
})
