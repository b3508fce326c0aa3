/** Lists of connections on a database. */
import type { FromSchema } from 'json-schema-to-ts'
import type oauth from '#schemas/operations/oauth.json'
import type { Scope } from '../../lib/principal.js'
import { isUuid } from '../../lib/uuid.js'
import type { Queryable } from '../sql/database.js'
import { first } from '../sql/rows.js'
import { userCondition } from '../sql/conditions.js'

// Hours that are over are counted in usage_hours, later calls only in the log: see sql-usage.ts.
const CALLS = `
  (select coalesce(sum(h.calls), 0) from usage_hours h
   where h.user_id = c.user_id and h.hour >= now() - interval '30 days' and h.hour < progress.counted_until
     and h.credential_id = c.id and h.action not like 'refused%')::int +
  (select count(*) from audit_events a
   where a.credential_id = c.id and a.at >= greatest(now() - interval '30 days', progress.counted_until)
     and a.action !~ '^(credential/|refused|web/)')::int`

const LINES = `
  (select count(*) from connection_tokens t where t.credential_id = c.id and t.kind = 'refresh'
     and t.used_at is null and t.expires_at > now())::int`

const ENTRY = `
  select c.id, jsonb_build_object('id', c.client_id, 'name', c.name, 'host', c.client_host, 'kind', c.client_kind)
      as client,
    jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name) as user,
    c.scope, c.workspace_ids::text[] as workspace_ids, c.resource, rfc3339(c.created_at) as created_at,
    rfc3339(c.last_used_at) as last_used_at, c.last_used_from, rfc3339(c.expires_at) as expires_at,
    ${CALLS} as calls_30d, ${LINES} as token_lines
  from credentials c join users u on u.id = c.user_id
    cross join (select coalesce(counted_until, '-infinity') as counted_until from usage_progress) progress
  where c.kind = 'connection' and c.revoked_at is null and c.expires_at > now()`

/** Several refresh tokens that are not used yet: processes of the application, or a thief, refresh apart. */
type ConnectionEntry = FromSchema<typeof oauth.connection>

/** `user`: their id or e-mail address, everybody's when absent; `after`: the connection before the first one. */
interface ConnectionFilter { user?: string | undefined, after?: string | undefined, limit: number }

export type Connections = ReturnType<typeof sqlConnections>

/** Returns the port to lists of connections, the newest first. Only connections that work are known. */
export const sqlConnections = (db: Queryable) => ({
  async list ({ user, after, limit }: ConnectionFilter) {
    const values: unknown[] = [limit]
    const conditions: string[] = []
    if (user !== undefined) conditions.push(`and ${userCondition(user, values.push(user))}`)
    if (after !== undefined && isUuid(after)) {
      conditions.push('and (c.created_at, c.id) < (select b.created_at, b.id from credentials b where b.id = ' +
        `$${values.push(after)}::uuid)`)
    }
    return await db.query<ConnectionEntry>(
      `${ENTRY} ${conditions.join(' ')} order by c.created_at desc, c.id desc limit $1`, values)
  },

  async find (id: string) {
    return isUuid(id) ? await first(db.query<ConnectionEntry>(`${ENTRY} and c.id = $1`, [id])) : undefined
  },

  /** Changes what one may do, and returns it; undefined for another id. */
  async setScope (id: string, scope: Scope) {
    const [changed] = await db.query<Pick<ConnectionEntry, 'scope'>>(
      `update credentials set scope = $2
       where id = $1 and kind = 'connection' and revoked_at is null and expires_at > now() returning scope`,
      [id, scope])
    return changed?.scope
  }
})
