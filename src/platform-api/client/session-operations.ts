/**
 * Optional operations of the platform API: sessions and changes, shared between gateways and kept over their restarts.
 */
import changes from '#schemas/platform-api/changes.json' with { type: 'json' }
import changesQuery from '#schemas/platform-api/changes_query.json' with { type: 'json' }
import done from '#schemas/platform-api/done.json' with { type: 'json' }
import endedSessions from '#schemas/platform-api/ended_sessions.json' with { type: 'json' }
import sessionChange from '#schemas/platform-api/session_change.json' with { type: 'json' }
import sessionEnd from '#schemas/platform-api/session_end.json' with { type: 'json' }
import sessionIds from '#schemas/platform-api/session_ids.json' with { type: 'json' }
import sessionNote from '#schemas/platform-api/session_note.json' with { type: 'json' }
import sessionNoted from '#schemas/platform-api/session_noted.json' with { type: 'json' }
import sessionPath from '#schemas/platform-api/session_path.json' with { type: 'json' }
import { operationsOf } from './operation.js'

const ENDED = 'a session that its client ended is known as ended to one gateway alone, until that starts anew'
const NOTED = 'log level and subscriptions of a legacy session are known to one gateway alone, until that starts anew'

export const sessions = operationsOf({
  listChanges: {
    route: 'GET /changes',
    summary: 'What changed after a position; asked four times a second while anyone listens',
    query: changesQuery,
    answer: changes,
    without: 'changes are not announced, and an open stream outlives the credential that was revoked'
  },
  findEndedSessions: {
    route: 'POST /sessions/ended/look-up',
    summary: 'Which of these sessions were ended',
    body: sessionIds,
    answer: endedSessions,
    without: ENDED
  },
  endSession: {
    route: 'POST /sessions/ended',
    summary: 'Remembers that a session was ended',
    body: sessionEnd,
    answer: done,
    without: ENDED
  },
  getSessionNote: {
    route: 'GET /sessions/{session}/note',
    summary: 'What a session asked to be remembered',
    params: sessionPath,
    answer: sessionNote,
    without: NOTED
  },
  changeSessionNote: {
    route: 'PATCH /sessions/{session}/note',
    summary: 'Remembers one thing more of a session, or one less',
    params: sessionPath,
    body: sessionChange,
    answer: sessionNoted,
    without: NOTED
  },
  forgetSession: {
    route: 'DELETE /sessions/{session}/note',
    summary: 'Forgets what a session asked to be remembered',
    params: sessionPath,
    answer: done,
    without: NOTED
  }
})
