/** The preferences of legacy sessions in the database. A session that set none has no row. */
import type { LogLevel } from '../../engine/log-level.js'
import type { Queryable } from '../sql/database.js'
import { type SessionPreferencesStore, MAX_SUBSCRIPTIONS } from '../../engine/eras/legacy/session-preferences.js'

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
       on conflict (session) do update
         set subscriptions = array_append(array_remove(session_notes.subscriptions, $2::text), $2::text)
         where cardinality(array_remove(session_notes.subscriptions, $2::text)) < $4
       returning session`,
      [session, uri, new Date(expires).toISOString(), MAX_SUBSCRIPTIONS])
    return rows.length > 0
  },

  async unsubscribe (session, uri) {
    await db.query(
      'update session_notes set subscriptions = array_remove(subscriptions, $2::text) where session = $1',
      [session, uri])
  },

  async forget (session) {
    await db.query('delete from session_notes where session = $1 or expires_at <= now()', [session])
  }
})
