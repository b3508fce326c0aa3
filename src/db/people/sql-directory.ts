/** Users and their memberships on a database. */
import { randomUUID } from 'node:crypto'
import { Refusal } from '../../lib/errors.js'
import type { Queryable } from '../sql/database.js'
import type { Membership, User } from '../../planning/records.js'
import { sanitizeText } from '../../lib/text/text.js'
import { userCondition } from '../sql/conditions.js'

interface NewUser {
  email: string
  name: string
  kind: User['kind']
  /** The person responsible for a service account, by id or e-mail address. */
  owner?: string | undefined
  /** The creator, for the audit log. */
  by?: string | undefined
  /** Whether they may do everything in the web application. Persons only. */
  serverAdmin?: boolean | undefined
}

interface UserChange {
  /** By id or e-mail address. */
  user: string
  serverAdmin?: boolean | undefined
  /** False deactivates: no session and no credential of theirs works from then on. */
  active?: boolean | undefined
}

interface UserState { server_admin: boolean, deactivated_at: string | null }

export type UserEntry = User & UserState & { memberships: number, owner: string | null }

interface Member { user: string, workspace: string }

export type Directory = ReturnType<typeof directory>

// The rows of all administrators are locked, so that two of them cannot remove each other at the same time.
const CHANGE = `
  with admins as materialized (
    select id from users where server_admin and deactivated_at is null order by id for update
  )
  update users u set server_admin = coalesce($2::boolean, u.server_admin),
    deactivated_at = case when $3::boolean is null then u.deactivated_at
      when $3 then null else coalesce(u.deactivated_at, now()) end
  where u.id = $1::uuid and (
    not exists (select from admins where id = u.id) or exists (select from admins where id <> u.id)
    or (coalesce($2, true) and coalesce($3, true)))
  returning u.id, u.email, u.name, u.kind, u.server_admin, rfc3339(u.deactivated_at) as deactivated_at`

const SIGN_OUT = `
  with links as (delete from sign_in_links where user_id = $1::uuid),
    keys as (delete from passkeys where user_id = $1::uuid and $2::boolean returning id),
    ended as (delete from web_sessions where user_id = $1::uuid returning id)
  select (select count(*)::int from keys) as passkeys, (select count(*)::int from ended) as sessions`

/** Users are named by id or e-mail address, workspaces by id or slug; an unknown one is a `Refusal` `not_found`. */
export const directory = (db: Queryable) => {
  const findUser = async (user: string): Promise<User> => {
    const [found] = await db.query<User>(
      `select u.id, u.email, u.name, u.kind from users u where ${userCondition(user, 1)}`, [sanitizeText(user)])
    if (!found) {
      throw new Refusal(
        `There is no user ${quoteText(user)}. "users list" shows who there is, "users create" adds one.`, 'not_found')
    }
    return found
  }

  const findOwner = async (owner: string, of: User['kind']): Promise<string> => {
    if (of !== 'service_account') {
      throw new Refusal('Only a service account has an owner: leave --owner out, or add --kind service_account.')
    }
    const user = await findUser(owner)
    if (user.kind !== 'person') {
      throw new Refusal(`${quoteText(owner)} is a service account itself: the owner is a person.`)
    }
    return user.id
  }

  const findWorkspace = async (workspace: string): Promise<string> => {
    const [found] = await db.query<{ id: string }>(
      'select id from workspaces where id::text = lower($1) or slug = $1', [sanitizeText(workspace)])
    if (!found) {
      throw new Refusal(
        `There is no workspace ${quoteText(workspace)}. Name one by its id or slug; "import" adds workspaces.`,
        'not_found')
    }
    return found.id
  }

  return {
    findUser,
    findWorkspace,

    /** A `Refusal` (conflict) when the address is taken. */
    async createUser ({ email, name, kind, owner, by, serverAdmin = false }: NewUser) {
      if (serverAdmin && kind !== 'person') throw new Refusal(NO_PERSON)
      const ownerId = owner === undefined ? null : await findOwner(owner, kind)
      const [user] = await db.query<User>(
        `insert into users (id, email, name, kind, owner_id, created_by, server_admin)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (lower(email)) do nothing returning id, email, name, kind`,
        [randomUUID(), email, name, kind, ownerId, by ?? null, serverAdmin])
      if (!user) throw new Refusal(`There is a user with the address ${quoteText(email)} already.`, 'conflict')
      return user
    },

    listUsers: () => db.query<UserEntry>(
      `select u.id, u.email, u.name, u.kind,
         (select count(*)::int from memberships m where m.user_id = u.id) as memberships, o.email as owner,
         u.server_admin, rfc3339(u.deactivated_at) as deactivated_at
       from users u left join users o on o.id = u.owner_id order by lower(u.email)`),

    /** @throws {Refusal} `conflict` when no active server administrator would be left */
    async changeUser ({ user, serverAdmin, active }: UserChange) {
      const { id, kind } = await findUser(user)
      if (serverAdmin && kind !== 'person') throw new Refusal(NO_PERSON)
      const [changed] = await db.query<User & UserState>(CHANGE, [id, serverAdmin ?? null, active ?? null])
      if (!changed) {
        throw new Refusal(
          'This is the last server administrator: make someone else one first ("users set-admin").', 'conflict')
      }
      return changed
    },

    /** Ends all sessions and open sign-in links of a user; with `passkeys`, removes their passkeys too. */
    async signOut ({ user: name, passkeys }: { user: string, passkeys: boolean }) {
      const user = await findUser(name)
      const [ended] = await db.query<{ passkeys: number, sessions: number }>(SIGN_OUT, [user.id, passkeys])
      return { user, sessions: ended?.sessions ?? 0, passkeys: ended?.passkeys ?? 0 }
    },

    /** Adds, or changes the role. */
    async addMember ({ user, workspace, role }: Member & Pick<Membership, 'role'>) {
      const member = { user_id: (await findUser(user)).id, workspace_id: await findWorkspace(workspace), role }
      await db.query(
        `insert into memberships (user_id, workspace_id, role) values ($1, $2, $3)
         on conflict (user_id, workspace_id) do update set role = excluded.role`,
        [member.user_id, member.workspace_id, role])
      return member
    },

    async removeMember ({ user, workspace }: Member) {
      const [removed] = await db.query<Membership>(
        'delete from memberships where user_id = $1 and workspace_id = $2 returning user_id, workspace_id, role',
        [(await findUser(user)).id, await findWorkspace(workspace)])
      if (!removed) throw new Refusal(`${quoteText(user)} is not a member of ${quoteText(workspace)}.`, 'not_found')
      return removed
    }
  }
}

const NO_PERSON = 'A service account cannot be a server administrator: only a person can.'

const quoteText = (text: string): string => JSON.stringify(text.slice(0, 320))
