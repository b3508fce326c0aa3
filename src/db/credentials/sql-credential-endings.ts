/** Ends many credentials and sessions on a database. Triggers record each credential, and end its streams. */
import type { FromSchema } from 'json-schema-to-ts'
import type administration from '#schemas/operations/administration.json'
import type { Revocation } from '../../access/audit/revocations.js'
import type { Queryable } from '../sql/database.js'
import { requireRow } from '../sql/rows.js'

const WORKS = 'c.revoked_at is null and (c.expires_at is null or c.expires_at > now())'

const count = (kind: string): string => `(select count(*)::int from ended where kind = '${kind}')`
const COUNTS = `
  select ${count('api_key')} as keys, ${count('personal_access_token')} as tokens,
    ${count('connection')} as connections, (select count(*)::int from closed where works) as sessions`

// What this database's own log has was done before its state: what was given since then, by any way, stays.
const REPLAY = `
  with revoked as materialized (
    select * from jsonb_to_recordset($1::jsonb)
      as r ("right" text, id uuid, workspace_id uuid, event bigint, at timestamptz)
    where (select a.id from audit_events a
      where a.at >= r.at and a.at < r.at + interval '1 millisecond' and a.id = r.event limit 1) is null
  ), changed as (
    update users u set server_admin = u.server_admin and not r.administrator,
      deactivated_at = case when r.account then coalesce(u.deactivated_at, now()) else u.deactivated_at end
    from (select id, bool_or("right" = 'account') as account, bool_or("right" = 'administrator') as administrator
      from revoked where "right" in ('account', 'administrator') group by id) r
    where u.id = r.id
  ), removed as (
    delete from memberships m using revoked r
    where r."right" = 'membership' and m.user_id = r.id and m.workspace_id = r.workspace_id
  ), clients as (
    update oauth_clients o set revoked_at = coalesce(o.revoked_at, now()) from revoked r
    where r."right" = 'client' and o.id = r.id
  ), invited as (
    update invitations i set revoked_at = coalesce(i.revoked_at, now()) from revoked r
    where r."right" = 'invitation' and i.id = r.id and i.accepted_at is null
  ), lost as (
    delete from passkeys p using revoked r
    where (r."right" = 'passkey' and p.id = r.id)
      or (r."right" = 'passkeys' and p.user_id = r.id and p.created_at <= r.at)
    returning p.id
  ), closed as (
    delete from web_sessions s where s.passkey_id in (select id from lost) or exists (
      select from revoked r where s.user_id = r.id
        and (r."right" = 'account' or (r."right" = 'sessions' and s.created_at <= r.at)))
    returning s.id, s.expires_at > now() as works
  ), stopped as (
    update credentials c set revoked_at = now(), revoked_by = $2 from revoked r
    where ${WORKS} and ((r."right" = 'credential' and c.id = r.id)
      or (r."right" = 'client' and c.kind = 'connection' and c.client_id = r.id::text))
    returning c.id, c.kind
  ), ended as (
    select id, kind from stopped
    union
    select c.id, c.kind from credentials c join users u on u.id = c.user_id join revoked r on r.id = u.id
    where r."right" = 'account' and u.deactivated_at is null and ${WORKS}
  ) ${COUNTS}`

const END = `
  with ended as (
    update credentials c set revoked_at = now(), revoked_by = $2
    where c.created_at < $1::timestamptz and ${WORKS} returning c.kind
  ), invited as (
    update invitations set revoked_at = now()
    where created_at < $1::timestamptz and revoked_at is null and accepted_at is null
  ), links as (
    delete from sign_in_links where created_at < $1::timestamptz
  ), devices as (
    delete from device_grants where created_at < $1::timestamptz
  ), closed as (
    delete from web_sessions where created_at < $1::timestamptz returning expires_at > now() as works
  ) ${COUNTS}`

/** How many of each worked until then. */
export type EndedCounts = FromSchema<typeof administration.endedCredentials>['ended']

export type CredentialEndings = ReturnType<typeof sqlCredentialEndings>

/** The endings on `db`: each is one statement, so that all of it is done or nothing. */
export const sqlCredentialEndings = (db: Queryable) => ({
  /** Ends again what was revoked, but for what this server's own log has: that had its effect before. */
  replay: async (revocations: readonly Revocation[], by?: string) =>
    requireRow(await db.query<EndedCounts>(REPLAY, [JSON.stringify(revocations), by ?? null])),
  /** Ends all keys, tokens, connections, sessions, invitations and sign-in links of before a time (RFC 3339). */
  endIssuedBefore: async (time: string, by?: string) => requireRow(await db.query<EndedCounts>(END, [time, by ?? null]))
})
