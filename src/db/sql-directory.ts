/** People and their access: users and memberships. */
import { randomUUID } from 'node:crypto'
import { Refusal } from '../lib/errors.js'
import type { Queryable } from './database.js'
import type { Membership, User } from '../planning/records.js'
import { sanitizeText } from '../lib/sanitize-text.js'
import { userCondition } from './user-condition.js'

export interface NewUser {
  email: string
  name: string
  kind: User['kind']
  /** The person who answers for a service account, by id or e-mail address. */
  owner?: string | undefined
  /** Who has it made, for the audit log. */
  by?: string | undefined
}

export type UserEntry = User & { memberships: number, owner: string | null }

export interface Directory {
  /** A `Refusal` (conflict) when the address is taken. */
  createUser (user: NewUser): Promise<User>
  listUsers (): Promise<UserEntry[]>
  /** By id or e-mail address; a `Refusal` when there is none. */
  findUser (user: string): Promise<User>
  /** Adds, or changes the role. `user` by id or e-mail address, `workspace` by id or slug. */
  addMember (member: { user: string, workspace: string, role: Membership['role'] }): Promise<Membership>
  removeMember (member: { user: string, workspace: string }): Promise<Membership>
}

export const directory = (db: Queryable): Directory => {
  const findUser = async (user: string): Promise<User> => {
    const [found] = await db.query<User>(
      `select u.id, u.email, u.name, u.kind from users u where ${userCondition(user, 1)}`, [sanitizeText(user)])
    if (!found) throw new Refusal(`There is no user ${quoted(user)}. "users list" shows who there is, "users create" adds one.`, 'not_found')
    return found
  }

  const findOwner = async (owner: string, of: User['kind']): Promise<string> => {
    if (of !== 'service_account') throw new Refusal('Only a service account has an owner: leave --owner out, or add --kind service_account.')
    const found = await findUser(owner)
    if (found.kind !== 'person') throw new Refusal(`${quoted(owner)} is a service account itself: the owner is a person.`)
    return found.id
  }

  const findWorkspace = async (workspace: string): Promise<string> => {
    const [found] = await db.query<{ id: string }>('select id from workspaces where id::text = lower($1) or slug = $1', [sanitizeText(workspace)])
    if (!found) throw new Refusal(`There is no workspace ${quoted(workspace)}. Name one by its id or slug; "import" adds workspaces.`, 'not_found')
    return found.id
  }

  return {
    findUser,

    async createUser ({ email, name, kind, owner, by }) {
      const [user] = await db.query<User>(
        `insert into users (id, email, name, kind, owner_id, created_by) values ($1, $2, $3, $4, $5, $6)
         on conflict (lower(email)) do nothing returning id, email, name, kind`,
        [randomUUID(), email, name, kind, owner === undefined ? null : await findOwner(owner, kind), by ?? null])
      if (!user) throw new Refusal(`There is a user with the address ${quoted(email)} already.`, 'conflict')
      return user
    },

    listUsers: () => db.query(
      `select u.id, u.email, u.name, u.kind, (select count(*)::int from memberships m where m.user_id = u.id) as memberships, o.email as owner
       from users u left join users o on o.id = u.owner_id order by lower(u.email)`),

    async addMember ({ user, workspace, role }) {
      const member = { user_id: (await findUser(user)).id, workspace_id: await findWorkspace(workspace), role }
      await db.query(
        `insert into memberships (user_id, workspace_id, role) values ($1, $2, $3)
         on conflict (user_id, workspace_id) do update set role = excluded.role`,
        [member.user_id, member.workspace_id, role])
      return member
    },

    async removeMember ({ user, workspace }) {
      const [removed] = await db.query<Membership>(
        'delete from memberships where user_id = $1 and workspace_id = $2 returning user_id, workspace_id, role',
        [(await findUser(user)).id, await findWorkspace(workspace)])
      if (!removed) throw new Refusal(`${quoted(user)} is not a member of ${quoted(workspace)}.`, 'not_found')
      return removed
    }
  }
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 320))
