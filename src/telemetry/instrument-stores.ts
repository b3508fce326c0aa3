/** Counts sessions where they begin and end. */
import type { Sessions } from '../engine/eras/legacy/session.js'
import type { Meter } from './meter.js'

/** The same sessions; `meter` counts each that opens and, with its age in seconds, each that its client ends. */
export const instrumentSessions = (sessions: Sessions, ttlSeconds: number, meter: Meter): Sessions => ({
  ...sessions,
  issue (session) {
    meter.sessionOpened()
    return sessions.issue(session)
  },
  async end (id, expires) {
    await sessions.end(id, expires)
    meter.sessionEnded(Math.max(0, ttlSeconds - (expires - Date.now()) / 1000))
  }
})
