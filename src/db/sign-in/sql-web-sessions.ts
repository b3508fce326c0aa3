/** Sessions of the web application on a database, so that each replica sees at once which of them ended. */
import { randomUUID } from 'node:crypto'
import type { FromSchema } from 'json-schema-to-ts'
import type account from '#schemas/operations/account.json'
import { openSealed, seal } from '../../access/credentials/sealed-text.js'
import { digestOf, isSessionSecret, mintSessionSecret } from '../../access/credentials/prefixed-secret.js'
import type { SignInMethod, WebSession } from '../../access/sign-in/web-sessions.js'
import { createBackgroundWrites } from '../../lib/async/background-writes.js'
import { isUuid } from '../../lib/uuid.js'
import type { Queryable } from '../sql/database.js'
import { rolesFrom, SEEN_WORKSPACES } from '../planning/seen-workspaces.js'

const LIFETIME_DAYS = 30
export const IDLE_HOURS = 12
const SEEN_AGAIN_AFTER_SECONDS = 60
/** Of one user; the oldest end first. */
const MAX_SESSIONS = 100
const MAX_USER_AGENT_LENGTH = 300

const WORKS = `s.expires_at > now() and s.last_seen_at > now() - interval '${IDLE_HOURS} hours'`

const START = `
  with person as (
    select id, email, name, last_sign_in_at is null as first from users
    where id = $3::uuid and deactivated_at is null and kind = 'person'
  ), noted as (
    update users u set last_sign_in_at = now() from person p where u.id = p.id
  ), tidied as (
    delete from web_sessions s where s.user_id = $3::uuid and (not (${WORKS}) or s.id in (
      select o.id from web_sessions o where o.user_id = $3::uuid order by o.created_at desc offset ${MAX_SESSIONS - 1}))
  ), started as (
    insert into web_sessions (id, hash, user_id, method, passkey_id, id_token, expires_at, remote_address, user_agent)
    select $1::uuid, $2::bytea, p.id, $4, $5::uuid, $6::bytea, now() + interval '${LIFETIME_DAYS} days', $7, $8
    from person p
    returning user_id
  )
  select p.id, p.email, p.name, p.first from person p join started n on n.user_id = p.id`

// One statement reads everything that decides about access, so that a change works at the next request.
const FIND = `
  select s.id, s.last_seen_at < now() - interval '${SEEN_AGAIN_AFTER_SECONDS} seconds' as stale, jsonb_build_object(
    'sessionId', s.id, 'method', s.method, 'signedInAt', rfc3339(s.created_at),
    'user', jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name), 'serverAdmin', u.server_admin,
    'preferences', jsonb_build_object('theme', u.theme, 'timeZone', u.time_zone),
    'memberships', ${rolesFrom(`${SEEN_WORKSPACES} where m.user_id = u.id`)}) as session
  from web_sessions s join users u on u.id = s.user_id
  where s.hash = $1 and ${WORKS} and u.deactivated_at is null`

interface NewWebSession {
  userId: string
  method: SignInMethod
  /** The passkey that opened the session: the session ends with it. */
  passkeyId?: string | undefined
  remoteAddress: string
  userAgent: string | undefined
  /** The provider's ID token, which its sign-out asks for. */
  idToken?: string | undefined
}

export type WebSessions = ReturnType<typeof sqlWebSessions>

/**
 * The web sessions on `db`, which has only the SHA-256 of a cookie's value. The time of the last request is written in
 * the background; `flush` waits for it.
 */
export const sqlWebSessions = (db: Queryable) => {
  const notes = createBackgroundWrites()
  const noteSeen = (id: string): void =>
    notes.start(id, () => db.query('update web_sessions set last_seen_at = now() where id = $1', [id]))

  return {
    /** Undefined for someone who is unknown, deactivated or no person. `first`: who had never signed in before. */
    async start ({ userId, method, passkeyId, remoteAddress, userAgent, idToken }: NewWebSession) {
      const secret = mintSessionSecret()
      const [person] = await db.query<{ id: string, email: string, name: string, first: boolean }>(START, [
        randomUUID(), digestOf(secret), userId, method, passkeyId ?? null,
        idToken === undefined ? null : seal(secret, idToken), remoteAddress,
        userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null
      ])
      if (!person) return undefined
      const { id, email, name, first } = person
      return { secret, user: { id, email, name }, first }
    },

    /**
     * Who has this cookie; undefined when it is unknown, expired or idle for too long, or its user was deactivated.
     * @param isUse whether the session is in use now, so that it is not idle
     */
    async find (secret: string, isUse = true): Promise<WebSession | undefined> {
      if (!isSessionSecret(secret)) return undefined
      const [row] = await db.query<{ id: string, stale: boolean, session: WebSession }>(FIND, [digestOf(secret)])
      if (!row) return undefined
      if (row.stale && isUse) noteSeen(row.id)
      return row.session
    },

    /** Those that work, most recently seen first. */
    list: (userId: string) => db.query<Omit<FromSchema<typeof account.sessionList>['sessions'][number], 'current'>>(
      `select s.id, rfc3339(s.created_at) as created_at, rfc3339(s.last_seen_at) as last_seen_at, s.remote_address,
         s.user_agent, s.method
       from web_sessions s where s.user_id = $1 and ${WORKS} order by s.last_seen_at desc, s.id`, [userId]),

    async end (userId: string, id: string) {
      if (!isUuid(id)) return false
      const deletedSessions = await db.query(
        'delete from web_sessions where id = $1 and user_id = $2 returning id', [id, userId])
      return deletedSessions.length > 0
    },

    /** Ends the session of a cookie. Resolves with its ID token when it had one. */
    async signOut (secret: string) {
      if (!isSessionSecret(secret)) return undefined
      const [deleted] = await db.query<{ user_id: string, id_token: Uint8Array | null }>(
        'delete from web_sessions where hash = $1 returning user_id, id_token', [digestOf(secret)])
      return deleted && {
        userId: deleted.user_id,
        idToken: deleted.id_token === null ? undefined : openSealed(secret, deleted.id_token)
      }
    },

    endOthers: async (userId: string, exceptId: string) =>
      (await db.query(
        'delete from web_sessions where user_id = $1 and id <> $2 returning id', [userId, exceptId])).length,

    flush: notes.flush
  }
}
