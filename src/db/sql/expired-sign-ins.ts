/**
 * Deletes what signing in left behind: sessions and links that no longer work, used challenges that have expired, and
 * invitations a while after their end. Several replicas may do so at the same time: each passes over rows that another
 * one is deleting.
 */
import type { Queryable } from './database.js'
import { IDLE_HOURS } from '../sign-in/sql-web-sessions.js'

/** Rows that one statement deletes, so that none is long. */
const BATCH = 1000
/** Statements of one run for each table; the next run goes on. */
const MAX_BATCHES = 50
/** The list of invitations shows for so long which ones were accepted, revoked or expired. */
const INVITATIONS_KEPT_DAYS = 30

const deleteExpired = (table: string, key: string, condition: string): string => `
  delete from ${table} where ${key} = any(array(
    select ${key} from ${table} where ${condition} limit ${BATCH} for update skip locked))
  returning ${key}`

const STATEMENTS = [
  deleteExpired('web_sessions', 'id', 'expires_at <= now()'),
  deleteExpired('web_sessions', 'id', `last_seen_at < now() - interval '${IDLE_HOURS} hours'`),
  deleteExpired('sign_in_links', 'hash', 'expires_at <= now()'),
  deleteExpired('used_challenges', 'hash', 'expires_at <= now()'),
  deleteExpired('invitations', 'id', `expires_at < now() - interval '${INVITATIONS_KEPT_DAYS} days'`)
]

/** Deletes at most `BATCH` × `MAX_BATCHES` rows of each kind. */
export const deleteExpiredSignIns = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) {
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      if ((await db.query(statement)).length < BATCH) break
    }
  }
}
