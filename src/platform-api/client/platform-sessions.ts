/** Stores session state at the platform, or in this process when the platform does not support it. */
import { lruSet } from '../../lib/lru.js'
import type { EndedSessionStore } from '../../engine/eras/legacy/ended-session-store.js'
import { batchLoader } from '../../lib/async/batch-loader.js'
import { memorySessionPreferences, type SessionPreferencesStore } from '../../engine/eras/legacy/session-preferences.js'
import type { Platform } from './client.js'
import { sessions } from './session-operations.js'

const MAX_IN_MEMORY = 10_000

/** Store of ended sessions. Without platform support it keeps the last 10,000 of this process. */
export const platformEndedSessions = ({ requestIfSupported }: Platform): EndedSessionStore => {
  const here = new Map<string, true>()
  const ended = batchLoader(async (ids) => {
    const answer = await requestIfSupported(sessions.findEndedSessions, { body: { session_ids: [...ids] } })
    return new Map(answer?.ended.map((id) => [id, true]))
  })
  return {
    has: async (id) => here.has(id) || await ended(id) === true,
    async add (id, expires) {
      const body = { session_id: id, expires_at: timeOf(expires) }
      if (!await requestIfSupported(sessions.endSession, { body })) lruSet(here, id, true, MAX_IN_MEMORY)
    }
  }
}

/** Store of log level and subscriptions of legacy sessions. Without platform support it keeps them in memory. */
export const platformSessionNotes = ({ requestIfSupported }: Platform): SessionPreferencesStore => {
  const here = memorySessionPreferences()
  return {
    async get (session) {
      const note = await requestIfSupported(sessions.getSessionNote, { params: { session } })
      return note ? { logLevel: note.log_level, subscriptions: note.subscriptions } : await here.get(session)
    },
    async setLogLevel (session, level, expires) {
      const answer = await requestIfSupported(sessions.changeSessionNote, {
        params: { session }, body: { expires_at: timeOf(expires), log_level: level }
      })
      if (!answer) await here.setLogLevel(session, level, expires)
    },
    async subscribe (session, uri, expires) {
      const answer = await requestIfSupported(sessions.changeSessionNote, {
        params: { session }, body: { expires_at: timeOf(expires), subscribe: uri }
      })
      return answer?.noted ?? await here.subscribe(session, uri, expires)
    },
    async unsubscribe (session, uri) {
      // An expiry of now: an unsubscribe does not extend the note's lifetime.
      const body = { expires_at: timeOf(Date.now()), unsubscribe: uri }
      const answer = await requestIfSupported(sessions.changeSessionNote, { params: { session }, body })
      if (!answer) await here.unsubscribe(session, uri)
    },
    async forget (session) {
      if (!await requestIfSupported(sessions.forgetSession, { params: { session } })) await here.forget(session)
    }
  }
}

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString()
