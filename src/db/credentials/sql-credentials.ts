/** Credentials on a database. */
import { randomUUID } from 'node:crypto'
import { createBackgroundWrites } from '../../lib/async/background-writes.js'
import { Refusal } from '../../lib/errors.js'
import type { StaticCredentialKind, Scope } from '../../lib/principal.js'
import type { Directory } from '../people/sql-directory.js'
import { countAccessChanges } from './credential-cache.js'
import type { Database } from '../sql/database.js'
import { credentialCondition } from '../sql/conditions.js'
import { requireRow } from '../sql/rows.js'
import { isUuid } from '../../lib/uuid.js'
import { sanitizeText } from '../../lib/text/text.js'
import { NOUN_OF_KIND, type Credentials, type NewCredential } from '../../access/credentials/credentials.js'
import { MAX_SESSION_ID_LENGTH } from '../../engine/eras/legacy/session.js'
import { hashOf, displayPrefix, isSameHash, mint, parseTokenKind, tagOf } from '../../access/credentials/secret.js'
import { isSecret } from '../../access/credentials/prefixed-secret.js'
import { idsOfWorkspaces } from '../planning/seen-workspaces.js'
import { hashOfSession } from '../sessions/sql-ended-session-store.js'
import { CURRENT, principalOf, VERIFY, VERIFY_CONNECTION, verifiedLoader } from './verified-credentials.js'

const YEAR = 365 * 86_400_000
const MAX_NAME_LENGTH = 200

/**
 * The credentials on `db`. Times of last use are written in the background; `flush` waits for them.
 * @param readsSessions whether the statement that verifies one also reads whether the session of the request has ended
 */
export const sqlCredentials = (
  db: Pick<Database, 'query' | 'onNotification'>, directory: Pick<Directory, 'findUser'>, { readsSessions = false } = {}
): Credentials & { flush (): Promise<void> } => {
  let tag: Promise<string> | undefined
  const deployment = (): Promise<string> => {
    tag ??= db.query<{ tag: string }>('select tag from deployment').then((rows) => requireRow(rows).tag)
    tag.catch(() => { tag = undefined })
    return tag
  }

  const accessChanges = countAccessChanges(db)
  const loadVerified = verifiedLoader(db, VERIFY, 'hash', accessChanges)
  const verifiedConnection = verifiedLoader(db, VERIFY_CONNECTION, 'hash', accessChanges)
  /** In batches: after a change, all streams of a credential ask at once. */
  const current = verifiedLoader(db, CURRENT, 'id', accessChanges)

  const sessionHashOf = (session: string | undefined): string | undefined =>
    readsSessions && session !== undefined && session.length <= MAX_SESSION_ID_LENGTH
      ? hashOfSession(session)
      : undefined

  const notes = createBackgroundWrites()
  const noteUse = (id: string, from: string | undefined): void => notes.start(id, () => db.query(
    'update credentials set last_used_at = now(), last_used_from = coalesce($2, last_used_from) where id = $1',
    [id, from ?? null]))

  const insert = async (
    kind: StaticCredentialKind, { user, name, workspaces, workspaceIds, expiresIn, by }: NewCredential, scope: Scope
  ) => {
    if (name.trim() === '' || name.length > MAX_NAME_LENGTH) {
      throw new Refusal(`A name has 1 to ${MAX_NAME_LENGTH} characters.`)
    }
    const owner = await directory.findUser(user)
    const ids = workspaceIds ?? (workspaces?.length ? await idsOfWorkspaces(db, workspaces, owner) : null)
    const secret = mint(kind, await deployment())
    const rows = await db.query<{ id: string, expires_at: string | null }>(
      `insert into credentials (id, kind, name, user_id, scope, workspace_ids, hint, hash, expires_at, created_by)
       values ($1, $2, $3, $4, $5, $6::uuid[], $7, decode($8, 'hex'), $9::timestamptz, $10)
       returning id, rfc3339(expires_at) as expires_at`,
      [randomUUID(), kind, name, owner.id, scope, ids, displayPrefix(secret), hashOf(secret),
        expiresIn === undefined ? null : new Date(Date.now() + expiresIn).toISOString(), by ?? null])
    return { ...requireRow(rows), secret }
  }

  return {
    async verify (secret, { from, session } = {}) {
      const form = parseTokenKind(secret)
      if (form === 'malformed' || form === 'mistyped') return { refused: form }
      const hash = hashOf(secret)
      const sessionHash = sessionHashOf(session)
      const loaded = await loadVerified(hash, sessionHash)
      const row = loaded?.verified
      if (!row || row.principal.credential.kind !== form || !isSameHash(hash, row.hash ?? '')) {
        const foreign = tagOf(secret)
        return { refused: foreign !== undefined && foreign !== await deployment() ? 'foreign' : 'unknown' }
      }
      if (row.stale) noteUse(row.principal.credential.id, from)
      return { principal: principalOf(loaded, sessionHash && session) }
    },

    async verifyConnection (secret, resource, { from, session } = {}) {
      if (!isSecret('access', secret)) return { refused: 'malformed' }
      const hash = hashOf(secret)
      const sessionHash = sessionHashOf(session)
      const loaded = await verifiedConnection(hash, sessionHash)
      const row = loaded?.verified
      if (!row || row.resource !== resource || !isSameHash(hash, row.hash ?? '')) return { refused: 'unknown' }
      if (row.stale) noteUse(row.principal.credential.id, from)
      return { principal: principalOf(loaded, sessionHash && session) }
    },

    async refresh ({ credential: { id }, accessToken }) {
      // A stream outlives an access token that expires, as clients do not open it again, but none that is revoked.
      const mayBeRevoked = accessToken !== undefined && Date.now() < accessToken.endsAt
      const loaded = mayBeRevoked ? await verifiedConnection(accessToken.hash) : await current(id)
      return loaded && principalOf(loaded)
    },

    async createKey (key) {
      const created = await insert('api_key', key, key.scope)
      return { id: created.id, name: key.name, key: created.secret, scope: key.scope, expires_at: created.expires_at }
    },

    async createToken ({ scope = 'admin', ...token }) {
      const expiresIn = token.expiresIn ?? YEAR
      const created = await insert('personal_access_token', { ...token, expiresIn }, scope)
      if (created.expires_at === null) throw new Error('a token was created that does not expire')
      return { id: created.id, name: token.name, token: created.secret, expires_at: created.expires_at }
    },

    async requireKnown (credential) {
      const found = await db.query(
        `select from credentials c where ${credentialCondition(credential, 1)} limit 1`, [sanitizeText(credential)])
      if (found.length === 0) {
        throw new Refusal(
          `There is no credential ${JSON.stringify(credential.slice(0, 320))}. ` +
          '"keys list", "tokens list" and "connections list" show which there are.', 'not_found')
      }
    },

    async revoke (kind, id, by) {
      const revoked = !isUuid(id)
        ? []
        : await db.query(
          `update credentials set revoked_at = coalesce(revoked_at, now()),
             revoked_by = case when revoked_at is null then $3 else revoked_by end
           where id = $1 and kind = $2 returning id`, [id, kind, by ?? null])
      if (revoked.length > 0) return
      throw new Refusal(
        `There is no ${NOUN_OF_KIND[kind]} with the id ${JSON.stringify(id.slice(0, 100))}.`, 'not_found')
    },

    async markExpired () {
      await db.query(`update credentials set expiry_noted_at = now()
        where expires_at <= now() and expiry_noted_at is null and revoked_at is null`)
    },

    flush: notes.flush
  }
}
