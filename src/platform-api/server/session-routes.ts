/** Serves session state and the change feed to gateways. */
import { sessions } from '../client/session-operations.js'
import type { PlatformPorts, RegisterRoute } from './platform-ports.js'

const PURGE_EVERY_MS = 3_600_000

/** Reading changes also purges old ones, once an hour. */
export function sessionRoutes (
  route: RegisterRoute, { endedSessions, sessionPreferences: preferences, changes }: PlatformPorts
): void {
  let purged = 0
  route(sessions.listChanges, async ({ query: { after } }) => {
    if (performance.now() - purged > PURGE_EVERY_MS) {
      purged = performance.now()
      await changes.purge()
    }
    if (after === undefined) {
      return { position: await changes.position(), changes: [], ended_credentials: await changes.recentlyRevoked() }
    }
    const rows = await changes.after(String(after))
    return { position: rows.at(-1)?.position ?? String(after), changes: rows, ended_credentials: [] }
  })

  route(sessions.findEndedSessions, async ({ body: { session_ids: ids } }) => {
    const areEnded = await Promise.all(ids.map(async (id) => await endedSessions.has(id)))
    return { ended: ids.filter((_id, index) => areEnded[index]) }
  })

  route(sessions.endSession, async ({ body: { session_id: id, expires_at: expires } }) => {
    await endedSessions.add(id, Date.parse(expires))
    return {}
  })

  route(sessions.getSessionNote, async ({ params: { session = '' } }) => {
    const { logLevel, subscriptions } = await preferences.get(session)
    return { subscriptions: [...subscriptions], ...(logLevel && { log_level: logLevel }) }
  })

  route(sessions.changeSessionNote, async ({ params: { session = '' }, body }) => {
    const { expires_at: until, log_level: level, subscribe, unsubscribe } = body
    const expires = Date.parse(until)
    if (level !== undefined) await preferences.setLogLevel(session, level, expires)
    if (unsubscribe !== undefined) await preferences.unsubscribe(session, unsubscribe)
    return { noted: subscribe === undefined || await preferences.subscribe(session, subscribe, expires) }
  })

  route(sessions.forgetSession, async ({ params: { session = '' } }) => {
    await preferences.forget(session)
    return {}
  })
}
