/**
 * Stores session state at the platform, or in this process when the platform does not support it, and reads what
 * changed there.
 */
import { lruSet } from '../../lib/lru.js'
import type { EndedSessionStore } from '../../engine/eras/legacy/session.js'
import type { LogLevel } from '../../engine/log-level.js'
import { batchLoader } from '../../lib/async/batch-loader.js'
import { memorySessionPreferences, type SessionPreferencesStore } from '../../engine/eras/legacy/session-preferences.js'
import type { ChangeSource } from '../../planning/change-feed.js'
import type { Platform } from './client.js'
import { sessions } from './session-operations.js'

const MAX_IN_MEMORY = 10_000

/** Store of ended sessions. Without platform support it keeps the last 10,000 of this process. */
export const platformEndedSessions = ({ request }: Platform): EndedSessionStore => {
  const here = new Map<string, true>()
  const ended = batchLoader(async (ids) => {
    const answer = await request(sessions.findEndedSessions, { body: { session_ids: [...ids] } })
    return new Map(answer?.ended.map((id) => [id, true]))
  })
  return {
    has: async (id) => here.has(id) || await ended(id) === true,
    async add (id, expires) {
      const body = { session_id: id, expires_at: timeOf(expires) }
      if (!await request(sessions.endSession, { body })) lruSet(here, id, true, MAX_IN_MEMORY)
    }
  }
}

/** Store of log level and subscriptions of legacy sessions. Without platform support it keeps them in memory. */
export const platformSessionNotes = ({ request }: Platform): SessionPreferencesStore => {
  const here = memorySessionPreferences()
  const change = (
    session: string, expires: number, what: { log_level: LogLevel } | { subscribe: string } | { unsubscribe: string }
  ) => request(sessions.changeSessionNote, { params: { session }, body: { expires_at: timeOf(expires), ...what } })
  return {
    async get (session) {
      const note = await request(sessions.getSessionNote, { params: { session } })
      return note ? { logLevel: note.log_level, subscriptions: note.subscriptions } : await here.get(session)
    },
    async setLogLevel (session, level, expires) {
      if (!await change(session, expires, { log_level: level })) await here.setLogLevel(session, level, expires)
    },
    async subscribe (session, uri, expires) {
      const answer = await change(session, expires, { subscribe: uri })
      return answer?.noted ?? await here.subscribe(session, uri, expires)
    },
    async unsubscribe (session, uri) {
      // An expiry of now: an unsubscribe does not extend the note's lifetime.
      if (!await change(session, Date.now(), { unsubscribe: uri })) await here.unsubscribe(session, uri)
    },
    async forget (session) {
      if (!await request(sessions.forgetSession, { params: { session } })) await here.forget(session)
    }
  }
}

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString()

const NEVER = '0.0'

/** The changes of a platform. Positions are the platform's own; without its support nothing ever changes. */
export const platformChanges = ({ request }: Platform): ChangeSource => ({
  position: async () => (await request(sessions.listChanges))?.position ?? NEVER,
  after: async (after) => (await request(sessions.listChanges, { query: { after } }))?.changes ?? [],
  recentlyRevoked: async () => (await request(sessions.listChanges))?.ended_credentials ?? [],
  // The platform purges its own changes.
  async purge () {}
})
