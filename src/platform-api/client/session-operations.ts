/**
 * Optional operations of the platform API: sessions and changes, shared between gateways and kept over their restarts.
 */
import shapes from '#schemas/platform-api/sessions.json' with { type: 'json' }
import { operationsOf } from './operation.js'

const ENDED = 'a session that its client ended is known as ended to one gateway alone, until that starts anew'
const NOTED = 'log level and subscriptions of a legacy session are known to one gateway alone, until that starts anew'

export const sessions = operationsOf({
  listChanges: {
    route: 'GET /changes',
    summary: 'What changed after a position; asked four times a second while anyone listens',
    query: shapes.changesQuery,
    answer: shapes.changes,
    without: 'changes are not announced, and an open stream outlives the credential that was revoked'
  },
  findEndedSessions: {
    route: 'POST /sessions/ended/look-up',
    summary: 'Which of these sessions were ended',
    body: shapes.sessionIds,
    answer: shapes.endedSessions,
    without: ENDED
  },
  endSession: {
    route: 'POST /sessions/ended',
    summary: 'Remembers that a session was ended',
    body: shapes.sessionEnd,
    answer: shapes.done,
    without: ENDED
  },
  getSessionNote: {
    route: 'GET /sessions/{session}/note',
    summary: 'What a session asked to be remembered',
    params: shapes.sessionPath,
    answer: shapes.sessionNote,
    without: NOTED
  },
  changeSessionNote: {
    route: 'PATCH /sessions/{session}/note',
    summary: 'Remembers one thing more of a session, or one less',
    params: shapes.sessionPath,
    body: shapes.sessionChange,
    answer: shapes.sessionNoted,
    without: NOTED
  },
  forgetSession: {
    route: 'DELETE /sessions/{session}/note',
    summary: 'Forgets what a session asked to be remembered',
    params: shapes.sessionPath,
    answer: shapes.done,
    without: NOTED
  }
})
