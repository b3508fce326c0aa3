/** Codes and tokens of connections, as hashes. All times are the database's: a clock that jumps changes nothing. */
import { randomUUID } from 'node:crypto'
import type { GrantLifetimes, IssuedTokens, OAuthGrants } from '../../access/oauth/oauth-grants.js'
import { digestOf, isSecret, mintSecret } from '../../access/credentials/prefixed-secret.js'
import type { Scope } from '../../lib/principal.js'
import type { Database, Queryable } from '../sql/database.js'

/** Tokens that one connection has; the oldest go first, but for those that another refresh has just locked. */
const MAX_TOKENS = 400

const CREATE_CODE = `
  with used as (
    update oauth_clients set last_used_at = now() where id = $15::uuid
  )
  insert into oauth_codes (hash, user_id, client_id, client_kind, client_name, client_host, redirect_uri, challenge,
    resource, scope, workspace_ids, refreshable, created_by, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::uuid[], $12, $13, now() + make_interval(secs => $14))`

// The lock lets one redemption through at a time, on whichever replica.
const LOCK_CODE = `
  select c.client_id, c.redirect_uri, c.challenge, c.resource, c.scope, c.refreshable, c.credential_id,
    c.used_at is not null as used, c.expires_at <= now() or u.deactivated_at is not null as ended
  from oauth_codes c join users u on u.id = c.user_id where c.hash = $1 for update of c`

const CREATE_CONNECTION = `
  insert into credentials (id, kind, name, user_id, scope, workspace_ids, hint, expires_at, created_by, client_id,
    client_kind, client_host, resource)
  select $2::uuid, 'connection', client_name, user_id, scope, workspace_ids, 'svc_at_',
    now() + make_interval(secs => $3), created_by, client_id, client_kind, client_host, resource
  from oauth_codes where hash = $1`

const LOCK_REFRESH_TOKEN = `
  select t.credential_id, c.client_id, c.resource, c.scope,
    t.expires_at <= now() or c.expires_at <= now() or c.revoked_at is not null or u.deactivated_at is not null as ended,
    coalesce(t.used_at < now() - make_interval(secs => $2), false) as reused
  from connection_tokens t join credentials c on c.id = t.credential_id join users u on u.id = c.user_id
  where t.hash = $1 and t.kind = 'refresh' for update of t`

const ISSUE = `
  insert into connection_tokens (hash, credential_id, kind, expires_at)
  select decode(issued.hash, 'hex'), $1, issued.kind, now() + make_interval(secs => issued.seconds)
  from unnest($2::text[], $3::text[], $4::int[]) issued (hash, kind, seconds)`

const EXTEND = 'update credentials set expires_at = now() + make_interval(secs => $2) where id = $1'

const TRIM = `
  delete from connection_tokens where hash = any(array(
    select hash from connection_tokens where credential_id = $1 order by created_at desc offset ${MAX_TOKENS}
    for update skip locked))`

const END = `
  update credentials set revoked_at = now(), revoked_by = $2
  where id = $1 and kind = 'connection' and revoked_at is null`

interface CodeRow {
  client_id: string
  redirect_uri: string
  challenge: string
  resource: string
  scope: Scope
  refreshable: boolean
  credential_id: string | null
  used: boolean
  ended: boolean
}

interface RefreshRow {
  credential_id: string
  client_id: string
  resource: string
  scope: Scope
  ended: boolean
  reused: boolean
}

export const sqlOAuthGrants = (db: Database, lifetimes: GrantLifetimes): OAuthGrants => {
  const { codeSeconds, accessTokenSeconds, refreshTokenSeconds, refreshGraceSeconds } = lifetimes

  const issue = async (
    tx: Queryable, credentialId: string, scope: Scope, refreshable: boolean
  ): Promise<IssuedTokens> => {
    const accessToken = mintSecret('access')
    const refreshToken = refreshable ? mintSecret('refresh') : undefined
    const tokens = [
      { secret: accessToken, kind: 'access', seconds: accessTokenSeconds },
      ...refreshToken === undefined ? [] : [{ secret: refreshToken, kind: 'refresh', seconds: refreshTokenSeconds }]
    ]
    await tx.query(ISSUE, [
      credentialId,
      tokens.map(({ secret }) => digestOf(secret).toString('hex')),
      tokens.map(({ kind }) => kind),
      tokens.map(({ seconds }) => seconds)
    ])
    return { accessToken, expiresIn: accessTokenSeconds, refreshToken, scope }
  }

  return {
    async createCode ({ userId, client, redirectUri, challenge, resource, scope, workspaceIds, refreshable, by }) {
      const code = mintSecret('code')
      await db.query(CREATE_CODE, [digestOf(code), userId, client.id, client.kind, client.name, client.host,
        redirectUri, challenge, resource, scope, workspaceIds, refreshable, by, codeSeconds,
        client.kind === 'document' ? null : client.id])
      return code
    },

    async redeem ({ code, clientId, verifier, redirectUri, resource }) {
      if (!isSecret('code', code)) return { refused: 'unknown' }
      const digest = digestOf(code)
      return await db.transaction(async (tx) => {
        const [row] = await tx.query<CodeRow>(LOCK_CODE, [digest])
        if (row?.client_id !== clientId) return { refused: 'unknown' }
        if (row.used) {
          // Either the client or a thief has the first tokens (RFC 6749 section 4.1.2).
          if (row.credential_id !== null) await tx.query(END, [row.credential_id, 'a second use of its code'])
          return { refused: 'reused' }
        }
        if (row.ended) return { refused: 'ended' }
        if (redirectUri !== undefined && redirectUri !== row.redirect_uri) return { refused: 'redirect_uri' }
        if (s256(verifier) !== row.challenge) return { refused: 'code_verifier' }
        if (resource !== undefined && resource !== row.resource) return { refused: 'resource' }
        const id = randomUUID()
        const seconds = row.refreshable ? refreshTokenSeconds : accessTokenSeconds
        await tx.query(CREATE_CONNECTION, [digest, id, seconds])
        await tx.query('update oauth_codes set used_at = now(), credential_id = $2 where hash = $1', [digest, id])
        return await issue(tx, id, row.scope, row.refreshable)
      })
    },

    async refresh ({ token, clientId, resource, writes = false }) {
      if (!isSecret('refresh', token)) return { refused: 'unknown' }
      const digest = digestOf(token)
      return await db.transaction(async (tx) => {
        const [row] = await tx.query<RefreshRow>(LOCK_REFRESH_TOKEN, [digest, refreshGraceSeconds])
        if (row?.client_id !== clientId) return { refused: 'unknown' }
        if (row.ended) return { refused: 'ended' }
        if (resource !== undefined && resource !== row.resource) return { refused: 'resource' }
        if (writes && row.scope === 'read') return { refused: 'scope' }
        const { credential_id: id } = row
        if (row.reused) {
          // Either the client or a thief has a later token (OAuth 2.1 section 4.3.1).
          await tx.query(END, [id, 'a late second use of its refresh token'])
          return { refused: 'reused' }
        }
        await tx.query('update connection_tokens set used_at = coalesce(used_at, now()) where hash = $1', [digest])
        await tx.query(EXTEND, [id, refreshTokenSeconds])
        const tokens = await issue(tx, id, row.scope, true)
        await tx.query(TRIM, [id])
        return tokens
      })
    },

    async revoke (token, clientId, by) {
      if (isSecret('access', token)) {
        // The streams of the person are checked, so that those of this token end.
        const deletedTokens = await db.query(
          `with deleted as (
             delete from connection_tokens t using credentials c
             where t.hash = $1 and t.kind = 'access' and c.id = t.credential_id and c.client_id = $2
             returning c.user_id
           )
           insert into changes (user_id) select user_id from deleted returning user_id`, [digestOf(token), clientId])
        return deletedTokens.length > 0
      }
      if (!isSecret('refresh', token)) return false
      const revokedGrants = await db.query(
        `update credentials c set revoked_at = coalesce(c.revoked_at, now()),
           revoked_by = case when c.revoked_at is null then $3 else c.revoked_by end
         from connection_tokens t
         where t.hash = $1 and t.kind = 'refresh' and c.id = t.credential_id and c.client_id = $2
         returning c.id`, [digestOf(token), clientId, by])
      return revokedGrants.length > 0
    }
  }
}

/** RFC 7636 section 4.6. */
const s256 = (verifier: string): string => digestOf(verifier).toString('base64url')
