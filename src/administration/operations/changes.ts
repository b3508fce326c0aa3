/** What agents propose and ask, and what changed: people decide, answer, look and undo. */
import answeredQuestion from '#schemas/web/answered_question.json' with { type: 'json' }
import changePath from '#schemas/web/change_path.json' with { type: 'json' }
import explorationPath from '#schemas/web/exploration_path.json' with { type: 'json' }
import history from '#schemas/web/history.json' with { type: 'json' }
import historyQuery from '#schemas/web/history_query.json' with { type: 'json' }
import historyRow from '#schemas/web/history_row.json' with { type: 'json' }
import proposal from '#schemas/web/proposal.json' with { type: 'json' }
import proposalDismissal from '#schemas/web/proposal_dismissal.json' with { type: 'json' }
import proposals from '#schemas/web/proposals.json' with { type: 'json' }
import proposalsQuery from '#schemas/web/proposals_query.json' with { type: 'json' }
import questionAnswer from '#schemas/web/question_answer.json' with { type: 'json' }
import questionPath from '#schemas/web/question_path.json' with { type: 'json' }
import type { OperationTable } from '../operation.js'
import { EDITORS_OR_OPERATOR, READERS_OR_OPERATOR } from '../permission.js'

/** The operator decides in the name of a person, who needs the role too. */
export const changesOperations = {
  'GET /proposals': {
    id: 'listProposals',
    summary: 'What agents propose, newest first',
    tag: 'changes',
    may: EDITORS_OR_OPERATOR,
    query: proposalsQuery,
    response: proposals
  },
  'POST /proposals/:id/acceptance': {
    id: 'acceptProposal',
    summary: 'Accept a proposal',
    tag: 'changes',
    may: EDITORS_OR_OPERATOR,
    audit: ['proposal/accepted'],
    params: changePath,
    response: proposal
  },
  'POST /proposals/:id/dismissal': {
    id: 'dismissProposal',
    summary: 'Dismiss a proposal, with a reason',
    tag: 'changes',
    may: EDITORS_OR_OPERATOR,
    audit: ['proposal/dismissed'],
    params: changePath,
    body: proposalDismissal,
    response: proposal
  },
  'POST /explorations/:id/questions/:question/answer': {
    id: 'answerQuestion',
    summary: 'Answer a question',
    tag: 'changes',
    may: EDITORS_OR_OPERATOR,
    audit: ['question/answered'],
    params: questionPath,
    body: questionAnswer,
    response: answeredQuestion
  },
  'GET /explorations/:id/history': {
    id: 'listHistory',
    summary: 'What changed in an exploration, newest first',
    tag: 'changes',
    may: READERS_OR_OPERATOR,
    params: explorationPath,
    query: historyQuery,
    response: history
  },
  'POST /history/:id/undo': {
    id: 'undoChange',
    summary: 'Undo a change',
    tag: 'changes',
    may: EDITORS_OR_OPERATOR,
    audit: ['history/undone'],
    params: changePath,
    response: historyRow
  }
} as const satisfies OperationTable
