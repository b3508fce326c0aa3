/** People and service accounts as administrators see them, and what they change of them. */
import type { FromSchema } from 'json-schema-to-ts'
import type administration from '#schemas/operations/administration.json'
import { Refusal } from '../../lib/errors.js'
import { sanitizeText } from '../../lib/text/text.js'
import { isUuid } from '../../lib/uuid.js'
import type { Page, PageRequest } from '../../planning/store.js'
import { decodeCursor, encodeCursor, isId, pageOf } from '../sql/cursor.js'
import type { Database, Queryable } from '../sql/database.js'
import { first } from '../sql/rows.js'
import { prefixPattern } from '../sql/prefix.js'
import { rolesFrom, SEEN_WORKSPACES } from '../planning/seen-workspaces.js'
import { userCondition } from '../sql/conditions.js'

export type PersonEntry = FromSchema<typeof administration.person>
export type ServiceAccountEntry = FromSchema<typeof administration.serviceAccount>

const FACTS = `
  u.id, u.email, u.name, rfc3339(u.deactivated_at) as deactivated_at,
  ${rolesFrom(`${SEEN_WORKSPACES} where m.user_id = u.id`)} as memberships,
  (select count(*)::int from credentials c where c.user_id = u.id and c.revoked_at is null
    and (c.expires_at is null or c.expires_at > now())) as credential_count,
  (select rfc3339(max(c.last_used_at)) from credentials c where c.user_id = u.id) as last_active_at`
const PERSON = `${FACTS}, u.server_admin from users u where u.kind = 'person'`
const SERVICE_ACCOUNT = `
  ${FACTS},
  case when o.id is not null then jsonb_build_object('id', o.id, 'email', o.email, 'name', o.name) end as owner
  from users u left join users o on o.id = u.owner_id where u.kind = 'service_account'`

export const sqlPeople = (db: Database) => ({
  /** By e-mail address; `prefix`: how the name or the address begins. @throws {Refusal} for another list's cursor */
  async list (prefix: string | undefined, { limit, cursor }: PageRequest): Promise<Page<PersonEntry>> {
    const after = decodeCursor('people', cursor, isId)
    const matching = prefix === undefined ? '$1::text is null' : '(lower(u.email) like $1 or lower(u.name) like $1)'
    const rows = await db.query<PersonEntry>(
      `select ${PERSON} and ${matching}
         and ($2::uuid is null or lower(u.email) > (select lower(b.email) from users b where b.id = $2))
       order by lower(u.email) limit $3`,
      [prefix === undefined ? null : prefixPattern(prefix), after?.[0] ?? null, limit + 1])
    return pageOf(rows, limit, ({ id }) => encodeCursor('people', [id]))
  },

  /** A person by id or e-mail address; undefined when there is none. */
  find: (user: string) => first(db.query<PersonEntry>(
    `select ${PERSON} and ${userCondition(user, 1)}`, [sanitizeText(user)])),

  /** Service accounts by e-mail address: all, or those of one owner. */
  serviceAccounts: (ownerId?: string) => db.query<ServiceAccountEntry>(
    `select ${SERVICE_ACCOUNT} and ($1::uuid is null or u.owner_id = $1) order by lower(u.email)`, [ownerId ?? null]),

  findServiceAccount: (user: string) => first(db.query<ServiceAccountEntry>(
    `select ${SERVICE_ACCOUNT} and ${userCondition(user, 1)}`, [sanitizeText(user)])),

  /** By id, of a person or a service account. */
  async rename (id: string, name: string) {
    await db.query('update users set name = $2 where id = $1', [id, name])
  },

  /** @throws {Refusal} when the owner is no person */
  async setOwner (id: string, ownerId: string) {
    const [owner] = await db.query<{ kind: string }>('select kind from users where id = $1', [ownerId])
    if (owner?.kind !== 'person') throw new Refusal('The owner of a service account is a person.')
    await db.query("update users set owner_id = $2 where id = $1 and kind = 'service_account'", [id, ownerId])
  },

  /**
   * Deletes a person with their memberships, sessions and credentials; service accounts of theirs stay without an
   * owner.
   * @throws {Refusal} `conflict` for the last active server administrator
   */
  deletePerson: (id: string) => db.transaction(async (tx) => {
    await requireOtherAdmin(tx, id)
    await tx.query("delete from users where id = $1 and kind = 'person'", [id])
  }),

  /** Name and address by id; unknown ids are missing. */
  async names (ids: readonly string[]) {
    const validIds = [...new Set(ids.filter(isUuid))]
    const rows = validIds.length === 0
      ? []
      : await db.query<{ id: string, email: string, name: string }>(
        'select id, email, name from users where id = any($1::uuid[])', [validIds])
    return new Map(rows.map((row) => [row.id, row]))
  }
})

/** Locks all administrators, so that two of them cannot delete each other at the same time. */
const requireOtherAdmin = async (tx: Queryable, id: string): Promise<void> => {
  const admins = await tx.query<{ id: string }>(
    'select id from users where server_admin and deactivated_at is null order by id for update')
  if (admins.length === 1 && admins[0]?.id === id) {
    throw new Refusal('This is the last server administrator: make someone else one first.', 'conflict')
  }
}
