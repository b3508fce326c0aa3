/** What a legacy session has asked the server to remember. Sessions that asked for nothing leave nothing here. */
import type { LogLevel } from '../mcp/log-level.js'
import { lruSet } from '../lib/lru.js'
import type { Queryable } from './database.js'

export interface SessionPreferences {
  logLevel: LogLevel | undefined
  /** URIs of the resources that it watches. */
  subscriptions: readonly string[]
}

export interface SessionPreferencesStore {
  get (session: string): Promise<SessionPreferences>
  /** `expires` in milliseconds since the epoch, as that of the session. */
  setLogLevel (session: string, level: LogLevel, expires: number): Promise<void>
  /** False when the session watches as much as it may. */
  subscribe (session: string, uri: string, expires: number): Promise<boolean>
  unsubscribe (session: string, uri: string): Promise<void>
  forget (session: string): Promise<void>
}

export const MAX_SUBSCRIPTIONS = 100

export const sqlSessionPreferences = (db: Queryable): SessionPreferencesStore => ({
  async get (session) {
    const [note] = await db.query<{ log_level: LogLevel | null, subscriptions: string[] }>(
      'select log_level, subscriptions from session_notes where session = $1 and expires_at > now()', [session])
    return { logLevel: note?.log_level ?? undefined, subscriptions: note?.subscriptions ?? [] }
  },

  async setLogLevel (session, level, expires) {
    await db.query(
      `insert into session_notes (session, log_level, expires_at) values ($1, $2, $3::timestamptz)
       on conflict (session) do update set log_level = excluded.log_level`,
      [session, level, new Date(expires).toISOString()])
  },

  async subscribe (session, uri, expires) {
    const rows = await db.query(
      `insert into session_notes (session, subscriptions, expires_at) values ($1, array[$2::text], $3::timestamptz)
       on conflict (session) do update set subscriptions = array_append(array_remove(session_notes.subscriptions, $2::text), $2::text)
         where cardinality(array_remove(session_notes.subscriptions, $2::text)) < $4
       returning session`,
      [session, uri, new Date(expires).toISOString(), MAX_SUBSCRIPTIONS])
    return rows.length > 0
  },

  async unsubscribe (session, uri) {
    await db.query('update session_notes set subscriptions = array_remove(subscriptions, $2::text) where session = $1', [session, uri])
  },

  async forget (session) {
    await db.query('delete from session_notes where session = $1 or expires_at <= now()', [session])
  }
})

const MAX_IN_MEMORY = 10_000

/** In the memory of one process: of so many sessions, those that asked last. */
export const memorySessionPreferences = (): SessionPreferencesStore => {
  const bySession = new Map<string, SessionPreferences>()
  const keep = (session: string, note: SessionPreferences): void => { lruSet(bySession, session, note, MAX_IN_MEMORY) }
  const read = (session: string): SessionPreferences => bySession.get(session) ?? { logLevel: undefined, subscriptions: [] }
  return {
    get: async (session) => read(session),
    async setLogLevel (session, logLevel) {
      keep(session, { ...read(session), logLevel })
    },
    async subscribe (session, uri) {
      const others = read(session).subscriptions.filter((other) => other !== uri)
      if (others.length >= MAX_SUBSCRIPTIONS) return false
      keep(session, { ...read(session), subscriptions: [...others, uri] })
      return true
    },
    async unsubscribe (session, uri) {
      const { subscriptions, ...rest } = read(session)
      if (bySession.has(session)) keep(session, { ...rest, subscriptions: subscriptions.filter((other) => other !== uri) })
    },
    async forget (session) {
      bySession.delete(session)
    }
  }
}
