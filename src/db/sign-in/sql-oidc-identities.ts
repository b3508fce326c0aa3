/** People of an OpenID provider on a database. */
import { randomUUID } from 'node:crypto'
import type { GroupRoles, OidcPerson, OidcResolution, Role } from '../../access/sign-in/oidc-identities.js'
import { sanitizeText } from '../../lib/text/text.js'
import type { Database, Queryable } from '../sql/database.js'

const MAX_NAME_LENGTH = 200
const RANKS: Readonly<Record<Role, number>> = { viewer: 1, editor: 2, admin: 3 }

interface UserRow { id: string, kind: string, deactivated: boolean, is_other: boolean }

const BY_SUBJECT = `
  select u.id, u.kind, u.deactivated_at is not null as deactivated, false as is_other
  from oidc_identities i join users u on u.id = i.user_id where i.issuer = $1 and i.subject = $2`

const BY_EMAIL = `
  select u.id, u.kind, u.deactivated_at is not null as deactivated,
    exists (select from oidc_identities i where i.user_id = u.id and i.issuer = $2) as is_other
  from users u where lower(u.email) = lower($1)`

const LINK = 'insert into oidc_identities (issuer, subject, user_id) values ($1, $2, $3) on conflict do nothing ' +
  'returning user_id'

const CREATE = `
  with person as (
    insert into users (id, email, name, kind) values ($1, $2, $3, 'person')
    on conflict (lower(email)) do nothing returning id
  ), members as (
    insert into memberships (user_id, workspace_id, role)
    select p.id, w.id, $4 from person p cross join workspaces w where $4::text is not null
  )
  select id from person`

const SET_ADMIN = `
  with admins as materialized (
    select id from users where server_admin and deactivated_at is null order by id for update
  )
  update users u set server_admin = $2
  where u.id = $1 and u.server_admin <> $2 and ($2 or exists (select from admins where id <> u.id))
  returning u.id`

export type OidcIdentities = ReturnType<typeof sqlOidcIdentities>

/** Returns the port to identities: each sign-in finds its person or makes one, in one transaction. */
export const sqlOidcIdentities = (db: Pick<Database, 'transaction'>) => ({
  /** By issuer and subject, otherwise by the verified address. `newcomer`: the role, everywhere, of one who is made. */
  async resolve (person: OidcPerson, newcomer?: { role: Role | undefined }): Promise<OidcResolution> {
    // Two first sign-ins at the same time: the second one finds at its second look what the first one wrote.
    for (let attempt = 0; attempt < 2; attempt++) {
      const outcome = await db.transaction((tx) => resolveOnce(tx, person, newcomer))
      if (outcome) return outcome
    }
    throw new Error('a person of the provider was neither found nor created')
  },

  /** Gives the roles of the groups in the governed workspaces only; returns names that no workspace has. */
  applyGroups: (userId: string, groups: GroupRoles) => db.transaction(async (tx) => {
    const workspaces = await tx.query<{ id: string, slug: string, role: Role | null }>(
      'select w.id, w.slug, m.role from workspaces w left join memberships m on m.workspace_id = w.id and ' +
        'm.user_id = $1', [userId])
    const changes = workspaces.flatMap(({ id, slug, role }) => {
      const names = [id, slug]
      if (groups.governed !== 'all' && !names.some((name) => groups.governed !== 'all' && groups.governed.has(name))) {
        return []
      }
      const targetRole = highest([...names.map((name) => groups.roles.get(name)), groups.everywhere])
      return targetRole === (role ?? undefined) ? [] : [{ id, role: targetRole }]
    })
    const granted = changes.flatMap(({ id, role }) => role === undefined ? [] : [{ id, role }])
    const removedIds = changes.filter(({ role }) => role === undefined).map(({ id }) => id)
    await tx.query(
      'delete from memberships where user_id = $1 and workspace_id = any($2::uuid[])', [userId, removedIds])
    await tx.query(
      `insert into memberships (user_id, workspace_id, role) select $1, * from unnest($2::uuid[], $3::text[])
       on conflict (user_id, workspace_id) do update set role = excluded.role`,
      [userId, granted.map(({ id }) => id), granted.map(({ role }) => role)])
    const admin = groups.serverAdmin === undefined ? [] : await tx.query(SET_ADMIN, [userId, groups.serverAdmin])
    const existing = new Set(workspaces.flatMap(({ id, slug }) => [id, slug]))
    const groupNames = [...groups.roles.keys(), ...(groups.governed === 'all' ? [] : groups.governed)]
    return {
      changed: changes.length + admin.length > 0,
      unknown: [...new Set(groupNames)].filter((name) => !existing.has(name))
    }
  })
})

/** Undefined where another transaction was quicker. */
const resolveOnce = async (
  tx: Queryable, person: OidcPerson, newcomer: { role: Role | undefined } | undefined
): Promise<OidcResolution | undefined> => {
  const [issuer, subject, email] = [person.issuer, person.subject, person.email].map(sanitizeText)
  const [linked] = await tx.query<UserRow>(BY_SUBJECT, [issuer, subject])
  if (linked) return linked.deactivated ? { refused: 'deactivated' } : { userId: linked.id, created: false }
  const [existing] = await tx.query<UserRow>(BY_EMAIL, [email, issuer])
  // An address that a second person of the provider has now may have been given to them by mistake, or again.
  if (existing && (existing.kind !== 'person' || existing.is_other)) return { refused: 'taken' }
  if (existing?.deactivated) return { refused: 'deactivated' }
  if (!existing && !newcomer) return { refused: 'unknown' }
  const userId = existing?.id ?? await create(tx, person, newcomer?.role)
  if (userId === undefined) return undefined
  const [link] = await tx.query(LINK, [issuer, subject, userId])
  return link && { userId, created: !existing }
}

const create = async (
  tx: Queryable, { email, name }: OidcPerson, role: Role | undefined
): Promise<string | undefined> => {
  const [created] = await tx.query<{ id: string }>(CREATE, [
    randomUUID(), sanitizeText(email), sanitizeText(name).slice(0, MAX_NAME_LENGTH), role ?? null
  ])
  return created?.id
}

const highest = (roles: ReadonlyArray<Role | undefined>): Role | undefined =>
  roles.reduce((best, role) =>
    role !== undefined && (best === undefined || RANKS[role] > RANKS[best]) ? role : best, undefined)
