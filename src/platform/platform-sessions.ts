/** What is remembered of sessions at a platform; where it does not offer that, in this process. */
import { remember } from '../lib/lru.js'
import type { EndedSessions } from '../db/sql-ended-session-store.js'
import { gather } from '../lib/batch-loader.js'
import { memorySessionNotes, type SessionNotes } from '../db/sql-session-preferences.js'
import type { Platform } from './client.js'
import { changeSessionNote, endSession, findEndedSessions, forgetSession, getSessionNote } from './session-operations.js'

const MOST_IN_MEMORY = 10_000

export const platformEndedSessions = ({ askIfOffered }: Platform): EndedSessions => {
  const here = new Map<string, true>()
  const ended = gather(async (ids) => {
    const answer = await askIfOffered(findEndedSessions, { body: { session_ids: [...ids] } })
    return new Map(answer?.ended.map((id) => [id, true]))
  })
  return {
    has: async (id) => here.has(id) || await ended(id) === true,
    async add (id, expires) {
      const answer = await askIfOffered(endSession, { body: { session_id: id, expires_at: timeOf(expires) } })
      if (!answer) remember(here, id, true, MOST_IN_MEMORY)
    }
  }
}

export const platformSessionNotes = ({ askIfOffered }: Platform): SessionNotes => {
  const here = memorySessionNotes()
  return {
    async get (session) {
      const note = await askIfOffered(getSessionNote, { params: { session } })
      return note ? { logLevel: note.log_level, subscriptions: note.subscriptions } : await here.get(session)
    },
    async setLogLevel (session, level, expires) {
      const answer = await askIfOffered(changeSessionNote, { params: { session }, body: { expires_at: timeOf(expires), log_level: level } })
      if (!answer) await here.setLogLevel(session, level, expires)
    },
    async subscribe (session, uri, expires) {
      const answer = await askIfOffered(changeSessionNote, { params: { session }, body: { expires_at: timeOf(expires), subscribe: uri } })
      return answer?.noted ?? await here.subscribe(session, uri, expires)
    },
    async unsubscribe (session, uri) {
      // Nothing is remembered longer for it.
      const body = { expires_at: timeOf(Date.now()), unsubscribe: uri }
      if (!await askIfOffered(changeSessionNote, { params: { session }, body })) await here.unsubscribe(session, uri)
    },
    async forget (session) {
      if (!await askIfOffered(forgetSession, { params: { session } })) await here.forget(session)
    }
  }
}

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString()
