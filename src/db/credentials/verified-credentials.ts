/** Reads everything that decides about access by a credential. */
import { batchLoader } from '../../lib/async/batch-loader.js'
import type { UserPrincipal, WorkspaceRules } from '../../lib/principal.js'
import { createCredentialCache, type AccessChanges, type Cacheable } from './credential-cache.js'
import type { Queryable } from '../sql/database.js'
import { SEEN_WORKSPACES } from '../planning/seen-workspaces.js'

/** The time of last use is written again after so many milliseconds. */
const USED_AGAIN_AFTER = 60_000

// One statement reads everything that decides about access, so that a change works at the next call. It also reads the
// revision of each workspace, which a record cache compares. Each row is one text of JSON: that takes the driver half
// the time of a row of columns.
// What several credentials of one user see is read once: for 20 workspaces that takes three times as long as the rest.
// `ends` is when it stops to work, for a cache that keeps it until then.
const read = (hash: string, condition: string, from = 'credentials c', ends = 'c.expires_at'): string => `
  with found as materialized (
    select c.id, c.kind, c.name, c.scope, encode(${hash}, 'hex') as hash, c.resource,
      rfc3339(c.expires_at) as expires_at, floor(extract(epoch from ${ends}) * 1000) as ends_at,
      u.id as user_id, u.email, u.name as user_name,
      coalesce(extract(epoch from now() - c.last_used_at) * 1000 > ${USED_AGAIN_AFTER}, true) as stale,
      c.workspace_ids
    from ${from} join users u on u.id = c.user_id
    where c.revoked_at is null and u.deactivated_at is null and (c.expires_at is null or c.expires_at > now())
      and ${condition}
  ), seen as materialized (
    select s.user_id, s.workspace_ids,
      (select string_agg(concat_ws(' ', m.workspace_id, w.agents, m.role, (
            select v.revision from workspace_revisions v where v.workspace_id = m.workspace_id)), ',')
          from ${SEEN_WORKSPACES}
        where m.user_id = s.user_id
          and (s.workspace_ids is null or m.workspace_id = any(s.workspace_ids))) as workspaces
    from (select distinct user_id, workspace_ids from found) s
  )
  select row_to_json(verified)::text as json from (
    select f.hash, f.resource, f.ends_at, f.stale, s.workspaces, json_build_object('id', f.user_id, 'email', f.email,
        'name', f.user_name) as user,
      json_build_object('id', f.id, 'kind', f.kind, 'name', f.name, 'scope', f.scope, 'expires_at', f.expires_at)
        as credential
    from found f
      join seen s on s.user_id = f.user_id and s.workspace_ids is not distinct from f.workspace_ids
  ) verified`
const GIVEN = "array(select decode(hash, 'hex') from unnest($1::text[]) hash)"
/** `$1` hashes in hexadecimal. */
export const VERIFY = read('c.hash', `c.hash = any(${GIVEN})`)
export const VERIFY_CONNECTION = read(
  't.hash', `t.hash = any(${GIVEN}) and t.kind = 'access' and t.expires_at > now()`,
  'connection_tokens t join credentials c on c.id = t.credential_id', 'least(c.expires_at, t.expires_at)')
/** Adds a row to such a statement for each session of `$2`, hashes in hexadecimal, that has ended: its hash alone. */
const withEndedSessions = (statement: string): string => `${statement}
  union all select encode(id_hash, 'hex') from ended_sessions
    where id_hash = any(array(select decode(hash, 'hex') from unnest($2::text[]) hash))`
/** `$1` ids of credentials. */
export const CURRENT = read('c.hash', 'c.id = any($1::uuid[])')

interface VerifiedRow extends Pick<UserPrincipal, 'credential' | 'user'> {
  /** Of the secret that was looked for; null for a connection that was looked for by its id. */
  hash: string | null
  /** Null for a key or token: only a connection is for one address. */
  resource: string | null
  /** When it stops to work, of a connection also the access token, in milliseconds of Unix time; null for never. */
  ends_at: number | null
  stale: boolean
  /** The id of each workspace, its policy, the user's role and its revision if it has one, as words; null for none. */
  workspaces: string | null
}

/** What a statement read of a credential that works. */
export interface Verified extends Cacheable, Pick<VerifiedRow, 'hash' | 'resource'> {
  principal: Omit<UserPrincipal, 'revisions'>
  byWorkspace: ReadonlyMap<string, string>
}

const verifiedOf = (
  { credential, user, hash, resource, stale, ends_at: endsAt, workspaces: words }: VerifiedRow
): Verified => {
  const workspaces = words?.split(',').map((one) => one.split(' ')) ?? []
  return {
    hash,
    resource,
    stale,
    endsAt,
    principal: {
      credential,
      user,
      workspaces: workspaces.map(([workspace = '']) => workspace),
      // The columns allow no other words.
      rules: new Map(workspaces.map(([workspace = '', agents, role]) =>
        [workspace, { agents, role } as WorkspaceRules])),
      accessToken: credential.kind === 'connection' && hash !== null && endsAt !== null ? { hash, endsAt } : undefined
    },
    byWorkspace: new Map(workspaces.flatMap(([workspace = '', , , revision]) =>
      revision === undefined ? [] : [[workspace, revision] as const]))
  }
}

/** What one statement read for a question: a credential that works, and of a session whether it has ended. */
export interface LoadedCredential { verified: Verified, sessionEnded: boolean }

/** Returns the principal, whose revisions have been read now; `session` is the id that was asked about. */
export const principalOf = (
  { verified: { principal, byWorkspace }, sessionEnded }: LoadedCredential, session?: string
): UserPrincipal => {
  const readAt = performance.now()
  return {
    ...principal,
    revisions: { readAt, byWorkspace },
    session: session === undefined ? undefined : { id: session, hasEnded: sessionEnded, readAt }
  }
}

/** Loads a credential by a key; with the hash of a session's id in hexadecimal, also whether that has ended. */
export type CredentialLoader = (key: string, sessionHash?: string) => Promise<LoadedCredential | undefined>

/** Loads what works, asked for by `field`; cached where the database tells of changes. */
export const verifiedLoader = (
  db: Queryable, statement: string, field: 'id' | 'hash', accessChanges: AccessChanges
): CredentialLoader => {
  const cache = createCredentialCache<Verified>(accessChanges)
  const statementWithSessions = withEndedSessions(statement)

  const read = async (keys: readonly string[], sessions: readonly string[]) => {
    const rows = await (sessions.length === 0
      ? db.query<{ json: string }>(statement, [keys])
      : db.query<{ json: string }>(statementWithSessions, [keys, sessions]))
    const byKey = new Map<string, Verified>()
    const ended = new Set<string>()
    for (const { json } of rows) {
      if (json.startsWith('{')) {
        const verified = verifiedOf(JSON.parse(json))
        byKey.set(field === 'id' ? verified.principal.credential.id : verified.hash ?? '', verified)
      } else {
        ended.add(json)
      }
    }
    return { byKey, ended }
  }

  // A question is a key, or a key, a space and the hash of a session.
  const load = batchLoader<LoadedCredential>(async (questions) => {
    const pairs = questions.map((question) => {
      const [key = '', session] = question.split(' ')
      return { question, key, session }
    })
    const keys = new Set(pairs.map(({ key }) => key))
    // What is told of while the statement runs may not be in what it reads.
    const changes = accessChanges()
    const { byKey, ended } = await read([...keys], pairs.flatMap(({ session }) => session ?? []))
    for (const [key, verified] of byKey) cache.add(key, verified, changes)
    return new Map(pairs.flatMap(({ question, key, session }) => {
      const verified = byKey.get(key)
      if (!verified) return []
      return [[question, { verified, sessionEnded: session !== undefined && ended.has(session) }] as const]
    }))
  })
  return async (key, sessionHash) => {
    if (sessionHash !== undefined) return await load(`${key} ${sessionHash}`)
    const verified = cache.get(key)
    return verified ? { verified, sessionEnded: false } : await load(key)
  }
}
