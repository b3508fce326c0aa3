/** OAuth clients on a database. */
import { randomUUID } from 'node:crypto'
import type { ClientSummary, NewClient, OAuthClient } from '../../access/oauth/oauth-clients.js'
import { digestOf, isSecret, mintSecret } from '../../access/credentials/prefixed-secret.js'
import { Refusal } from '../../lib/errors.js'
import { isUuid } from '../../lib/uuid.js'
import type { Queryable } from '../sql/database.js'
import { first } from '../sql/rows.js'

const MAX_LISTED = 1000

// Counted in the statement that inserts, and bounded by the limit of the count.
const CREATE = `
  insert into oauth_clients (id, kind, name, uri, redirect_uris, refreshable, secret_hash, created_by)
  select $1, $2, $3, $4, $5::text[], $6, $7::bytea, $8
  where (select count(*) from (select from oauth_clients where kind = $2 limit $9::int) counted) < $9::int
  returning rfc3339(created_at) as created_at`

const FIND = `
  select id, kind, name, uri, null as host, redirect_uris as "redirectUris", refreshable,
    secret_hash is not null as confidential
  from oauth_clients where id = $1 and revoked_at is null`

const summary = (connections: string): string => `
  o.id, o.kind, o.name, o.redirect_uris, o.secret_hash is not null as confidential,
  rfc3339(o.created_at) as created_at, o.created_by, rfc3339(o.last_used_at) as last_used_at,
  rfc3339(o.revoked_at) as revoked_at,
  ${connections} as connections`
const OPEN_CONNECTIONS = `
  (select count(*)::int from credentials c where c.client_id = o.id::text and c.revoked_at is null
    and c.expires_at > now())`

const LIST = `
  select ${summary(OPEN_CONNECTIONS)} from oauth_clients o
  where o.kind = any($1::text[]) and o.revoked_at is null order by o.created_at desc, o.id limit ${MAX_LISTED}`

const REVOKE = `
  with revoked as (
    update oauth_clients set revoked_at = coalesce(revoked_at, now()) where id = $1 returning *
  ), ended as (
    update credentials set revoked_at = now(), revoked_by = $2
    where client_id = $1::text and kind = 'connection' and revoked_at is null
  )
  select ${summary('0')} from revoked o`

const SAVE_DOCUMENT = `
  insert into oauth_client_documents (client_id, document, fresh_until)
  values ($1, $2::jsonb, now() + make_interval(secs => $3))
  on conflict (client_id) do update
    set document = excluded.document, fetched_at = now(), fresh_until = excluded.fresh_until`

export type OAuthClients = ReturnType<typeof sqlOAuthClients>

export const sqlOAuthClients = (db: Queryable) => ({
  /** Registers a client, whose secret is returned this once; undefined when there are `max` of its kind already. */
  async create (
    { kind, name, uri, redirectUris, refreshable, confidential, by }: NewClient, max = 1_000_000
  ): Promise<{ id: string, secret: string | undefined, created_at: string } | undefined> {
    const id = randomUUID()
    const secret = confidential ? mintSecret('client') : undefined
    const hash = secret === undefined ? null : digestOf(secret)
    const [created] = await db.query<{ created_at: string }>(
      CREATE, [id, kind, name, uri ?? null, redirectUris, refreshable, hash, by ?? null, max])
    return created && { id, secret, created_at: created.created_at }
  },

  /** A registered client that is not revoked; undefined for an unknown id. */
  async find (id: string): Promise<OAuthClient | undefined> {
    return isUuid(id) ? await first(db.query<OAuthClient>(FIND, [id])) : undefined
  },

  async hasSecret (id: string, secret: string): Promise<boolean> {
    if (!isUuid(id) || !isSecret('client', secret)) return false
    const rows = await db.query(
      'select id from oauth_clients where id = $1 and secret_hash = $2 and revoked_at is null', [id, digestOf(secret)])
    return rows.length > 0
  },

  /** Those that work, or of one kind; newest first, 1,000 at most. */
  list: (kind?: NewClient['kind']) =>
    db.query<ClientSummary>(LIST, [kind === undefined ? ['registered', 'preregistered'] : [kind]]),

  /** Revokes a client and its connections; twice is no error. @throws {Refusal} `not_found` for an unknown id */
  async revoke (id: string, by?: string): Promise<ClientSummary> {
    const [revoked] = isUuid(id) ? await db.query<ClientSummary>(REVOKE, [id, by ?? null]) : []
    if (!revoked) throw new Refusal(`There is no client with the id ${JSON.stringify(id.slice(0, 100))}.`, 'not_found')
    return revoked
  },

  findDocument: (clientId: string) => first(db.query<{ document: unknown, fresh: boolean }>(
    'select document, fresh_until > now() as fresh from oauth_client_documents where client_id = $1', [clientId])),

  async saveDocument (clientId: string, document: unknown, freshSeconds: number): Promise<void> {
    await db.query(SAVE_DOCUMENT, [clientId, JSON.stringify(document), freshSeconds])
  }
})
