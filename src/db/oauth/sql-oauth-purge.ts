/** Deletes what OAuth no longer needs. Each statement deletes a bounded number of rows; the next run goes on. */
import type { Queryable } from '../sql/database.js'

const MOST = 10_000

// Used codes are kept for a day, to notice a second use.
const CODES = `
  delete from oauth_codes where hash = any(array(
    select hash from oauth_codes where expires_at < now() - interval '1 day' order by expires_at limit ${MOST}))`

const TOKENS = `
  delete from connection_tokens where hash = any(array(
    select hash from connection_tokens where expires_at < now() order by expires_at limit ${MOST}))`

// A client that registers anew for each connection leaves many behind.
const CLIENTS = `
  delete from oauth_clients where id = any(array(
    select o.id from oauth_clients o
    where o.kind = 'registered' and o.created_at < now() - interval '1 day'
      and (o.last_used_at is null or o.last_used_at < now() - interval '90 days')
      and not exists (select from credentials c where c.client_id = o.id::text and c.revoked_at is null
        and c.expires_at > now())
    order by o.created_at limit ${MOST}))`

// The last good copy of a document stands in while its host does not answer; not for ever.
const DOCUMENTS = `
  delete from oauth_client_documents where client_id = any(array(
    select client_id from oauth_client_documents where fetched_at < now() - interval '180 days'
    order by fetched_at limit ${MOST}))`

/** Deletes codes, tokens, clients and documents that are past their time. */
export const purgeOAuth = async (db: Queryable): Promise<void> => {
  await db.query(CODES)
  await db.query(TOKENS)
  await db.query(CLIENTS)
  await db.query(DOCUMENTS)
}
