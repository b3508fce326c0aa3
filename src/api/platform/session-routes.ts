/** What fronts know sessions and changes by. */
import {
  changeSessionNote, endSession, findEndedSessions, forgetSession, getSessionNote, listChanges
} from '../../platform/session-operations.js'
import type { PlatformPorts, Serve } from './platform-ports.js'

const PURGE_EVERY_MS = 3_600_000

export function serveSessions (serve: Serve, { ended, notes, changes }: PlatformPorts): void {
  let purged = 0
  serve(listChanges, async ({ query: { after } }) => {
    if (performance.now() - purged > PURGE_EVERY_MS) {
      purged = performance.now()
      await changes.purge()
    }
    if (after === undefined) return { position: await changes.position(), changes: [], ended_credentials: await changes.endedLately() }
    const rows = await changes.after(String(after))
    return { position: rows.at(-1)?.position ?? String(after), changes: rows, ended_credentials: [] }
  })

  serve(findEndedSessions, async ({ body: { session_ids: ids } }) => {
    const known = await Promise.all(ids.map((id) => ended.has(id)))
    return { ended: ids.filter((_id, index) => known[index]) }
  })

  serve(endSession, async ({ body: { session_id: id, expires_at: expires } }) => {
    await ended.add(id, Date.parse(expires))
    return {}
  })

  serve(getSessionNote, async ({ params: { session = '' } }) => {
    const { logLevel, subscriptions } = await notes.get(session)
    return { subscriptions: [...subscriptions], ...(logLevel && { log_level: logLevel }) }
  })

  serve(changeSessionNote, async ({ params: { session = '' }, body: { expires_at: until, log_level: level, subscribe, unsubscribe } }) => {
    const expires = Date.parse(until)
    if (level !== undefined) await notes.setLogLevel(session, level, expires)
    if (unsubscribe !== undefined) await notes.unsubscribe(session, unsubscribe)
    return { noted: subscribe === undefined || await notes.subscribe(session, subscribe, expires) }
  })

  serve(forgetSession, async ({ params: { session = '' } }) => {
    await notes.forget(session)
    return {}
  })
}
