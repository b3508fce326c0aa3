/** Lists of credentials for people who look after them: who made each, and where it was last used from. */
import type { FromSchema } from 'json-schema-to-ts'
import type credentials from '#schemas/operations/credentials.json'
import type { CredentialKind } from '../../lib/principal.js'
import { isUuid } from '../../lib/uuid.js'
import type { Page, PageRequest } from '../../planning/store.js'
import { decodeCursor, encodeCursor, isId, pageOf } from '../sql/cursor.js'
import type { Queryable } from '../sql/database.js'
import { first } from '../sql/rows.js'
import type { CredentialLabel } from '../audit/sql-audit-labels.js'

export type CredentialEntry = Omit<FromSchema<typeof credentials.credential>, 'workspaces' | 'limits'> & {
  /** Whether its user is a service account, and the id of the person who owns that. */
  service_account: boolean
  owner_id: string | null
}

/** A credential with what names the application of a connection; null for a key or token. */
type UsedCredential = CredentialEntry & Pick<CredentialLabel, 'host' | 'client_kind'>

/** Which credentials someone reaches. Undefined as a whole: every one. */
export interface CredentialReach {
  /** Those of these users, by id. */
  users: readonly string[]
  /** And those that are limited to workspaces among these, by id. */
  limitedTo: readonly string[]
}

export interface CredentialFilter {
  kind?: CredentialKind | undefined
  reach?: CredentialReach | undefined
  revoked: boolean
  /** Only those that were not used, or not even created, within so many days. */
  unusedDays?: number | undefined
  /** A user's id. */
  user?: string | undefined
}

const entryFrom = (credentials: string): string => `
  c.id, c.kind, c.name, jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name) as user, c.hint, c.scope,
  c.workspace_ids::text[] as workspace_ids,
  case when c.revoked_at is not null then 'revoked'
    when c.expires_at <= now() then 'expired' else 'active' end as state,
  rfc3339(c.created_at) as created_at, c.created_by, rfc3339(c.last_used_at) as last_used_at, c.last_used_from,
  rfc3339(c.expires_at) as expires_at, rfc3339(c.revoked_at) as revoked_at,
  u.kind = 'service_account' as service_account, u.owner_id
  from ${credentials} c join users u on u.id = c.user_id`
const ENTRY = entryFrom('credentials')

export const sqlCredentialList = (db: Queryable) => ({
  /** Newest first. @throws {Refusal} for a cursor of another list */
  async page (
    { kind, reach, revoked, unusedDays, user }: CredentialFilter, { limit, cursor }: PageRequest
  ): Promise<Page<CredentialEntry>> {
    const after = decodeCursor('credentials', cursor, isId)
    const { values, value } = parameters(limit + 1)
    // Few are within reach, so they are found first: a plan that does not know whose they are would walk along all.
    const entry = reach ? entryFrom(`(select * from credentials c where ${within(reach, value)} offset 0)`) : ENTRY
    const conditions = [
      kind && `c.kind = ${value(kind, 'text')}`,
      !revoked && 'c.revoked_at is null',
      user !== undefined && `c.user_id = ${value(user, 'uuid')}`,
      unusedDays !== undefined &&
        `coalesce(c.last_used_at, c.created_at) < now() - make_interval(days => ${value(unusedDays, 'int')})`,
      // By the row itself: a cursor in milliseconds would skip what was made within the same one.
      after && '(c.created_at, c.id) < ' +
        `(select b.created_at, b.id from credentials b where b.id = ${value(after[0], 'uuid')})`
    ].filter(Boolean)
    const rows = await db.query<CredentialEntry>(
      `select ${entry} ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''} order by c.created_at ` +
        'desc, c.id desc limit $1', values)
    return pageOf(rows, limit, ({ id }) => encodeCursor('credentials', [id]))
  },

  async find (id: string, kind?: CredentialKind, reach?: CredentialReach) {
    if (!isUuid(id)) return undefined
    const { values, value } = parameters(id, kind ?? null)
    return await first(db.query<CredentialEntry>(
      `select ${ENTRY} where c.id = $1 and ($2::text is null or c.kind = ` +
        `$2)${reach ? ` and ${within(reach, value)}` : ''}`, values))
  },

  /** Ids of the user and of the service accounts that the user owns. */
  async ownUsers (userId: string) {
    const rows = await db.query<{ id: string }>(
      "select id from users where owner_id = $1 and kind = 'service_account' order by id", [userId])
    return [userId, ...rows.map(({ id }) => id)]
  },

  /** Those within reach that were used within the last day, the most recently used first. */
  async recentlyUsed (reach: CredentialReach | undefined, limit: number) {
    const { values, value } = parameters(limit)
    return await db.query<UsedCredential>(
      `select c.client_host as host, c.client_kind, ${ENTRY} where c.revoked_at is null
         and c.last_used_at > now() - interval '25 hours'${reach ? ` and ${within(reach, value)}` : ''}
       order by c.last_used_at desc, c.id limit $1`, values)
  }
})

/** The values of a statement; `value` adds one and returns what stands for it. */
const parameters = (...values: unknown[]) =>
  ({ values, value: (parameter: unknown, type: string): string => `$${values.push(parameter)}::${type}` })

// By an index each: few credentials are limited to workspaces.
const within = ({ users, limitedTo }: CredentialReach, value: (parameter: unknown, type: string) => string): string => {
  const own = `c.user_id = any(${value(users, 'uuid[]')})`
  if (limitedTo.length === 0) return own
  const limitIds = value(limitedTo, 'uuid[]')
  return `(${own} or (c.workspace_ids && ${limitIds} and c.workspace_ids <@ ${limitIds}))`
}
