/** Deletes what signing in and OAuth left behind. Replicas may do so at once: each passes over rows of another one. */
import type { Queryable } from './database.js'
import { IDLE_HOURS } from '../sign-in/sql-web-sessions.js'

/** Rows that one statement deletes, so that none is long. */
const BATCH = 1000
/** Statements of one run for each table; the next run goes on. */
const MAX_BATCHES = 50

const STATEMENTS = [
  ['web_sessions', 'id', 'expires_at <= now()'],
  ['web_sessions', 'id', `last_seen_at < now() - interval '${IDLE_HOURS} hours'`],
  ['sign_in_links', 'hash', 'expires_at <= now()'],
  ['used_challenges', 'hash', 'expires_at <= now()'],
  // The list of invitations shows for so long which ones were accepted, revoked or expired.
  ['invitations', 'id', "expires_at < now() - interval '30 days'"],
  // Used codes are kept for a day, to notice a second use.
  ['oauth_codes', 'hash', "expires_at < now() - interval '1 day'"],
  ['connection_tokens', 'hash', 'expires_at < now()'],
  // A client that registers anew for each connection leaves many behind.
  ['oauth_clients', 'id', `kind = 'registered' and created_at < now() - interval '1 day'
    and (last_used_at is null or last_used_at < now() - interval '90 days')
    and not exists (select from credentials c where c.client_id = oauth_clients.id::text and c.revoked_at is null
      and c.expires_at > now())`],
  // The last good copy of a document stands in while its host does not answer; not for ever.
  ['oauth_client_documents', 'client_id', "fetched_at < now() - interval '180 days'"]
].map(([table, key, condition]) => `
  delete from ${table} where ${key} = any(array(
    select ${key} from ${table} where ${condition} limit ${BATCH} for update skip locked))
  returning ${key}`)

export const deleteExpired = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) {
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      if ((await db.query(statement)).length < BATCH) break
    }
  }
}
