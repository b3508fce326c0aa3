/** Workspaces as people administer them: also archived ones, with their members. */
import { randomUUID } from 'node:crypto'
import type { FromSchema } from 'json-schema-to-ts'
import type workspaces from '#schemas/operations/workspaces.json'
import { Refusal } from '../../lib/errors.js'
import { applicationName } from '../../lib/text/application-name.js'
import { sanitizeText } from '../../lib/text/text.js'
import { isWider, WRITING_ROLES, WRITING_SCOPES, type AgentPolicy } from '../../planning/agent-policy.js'
import type { Membership, User } from '../../planning/records.js'
import type { Queryable } from '../sql/database.js'
import { first } from '../sql/rows.js'
import { EXPLORATION_COUNT } from './sql-workspaces.js'

export type WorkspaceEntry =
  Omit<FromSchema<typeof workspaces.workspace>, 'description' | 'may_administer' | 'gains'> &
  { description: string | null }

interface WorkspaceChange {
  name?: string | undefined
  description?: string | undefined
  archived?: boolean | undefined
  agents?: AgentPolicy | undefined
}

/** A credential that writes in a workspace which lets agents. */
export type WorkspaceWriter = FromSchema<typeof workspaces.workspaceWriters>['writers'][number]

export type WorkspaceDirectory = ReturnType<typeof sqlWorkspaceDirectory>

const MAX_WRITERS = 1000

const ENTRY = `
  w.id, w.slug, w.name, w.description, rfc3339(w.created_at) as created_at, rfc3339(w.archived_at) as archived_at,
  w.agents, ${EXPLORATION_COUNT},
  (select count(*)::int from memberships m where m.workspace_id = w.id) as member_count, own.role`
const OF_USER = 'workspaces w left join memberships own on own.workspace_id = w.id and own.user_id = $1'

export const sqlWorkspaceDirectory = (db: Queryable) => {
  const find = (workspace: string, user: string | undefined): Promise<WorkspaceEntry | undefined> =>
    first(db.query<WorkspaceEntry>(
      `select ${ENTRY} from ${OF_USER} where w.id::text = lower($2) or w.slug = $2`,
      [user ?? null, sanitizeText(workspace)]))

  const requireEntry = async (id: string, user: string | undefined): Promise<WorkspaceEntry> => {
    const entry = await find(id, user)
    if (!entry) throw new Refusal(`There is no workspace ${JSON.stringify(id.slice(0, 64))}.`, 'not_found')
    return entry
  }

  const writers = async (id: string): Promise<WorkspaceWriter[]> => {
    const found = await db.query<WorkspaceWriter & { host: string | null }>(
      `select c.id, c.kind, c.name, c.client_host as host, u.email as owner
       from memberships m join users u on u.id = m.user_id join credentials c on c.user_id = m.user_id
       where m.workspace_id = $1 and m.role = any($2) and u.deactivated_at is null and c.revoked_at is null
         and (c.expires_at is null or c.expires_at > now()) and c.scope = any($3)
         and (c.workspace_ids is null or m.workspace_id = any(c.workspace_ids))
       order by u.email, c.name, c.id limit ${MAX_WRITERS}`, [id, WRITING_ROLES, WRITING_SCOPES])
    return found.map(({ host, ...writer }) => ({ ...writer, name: applicationName({ name: writer.name, host }) }))
  }

  return {
    /** By id or slug, archived ones too; undefined when there is none. */
    find,
    /** The credentials that write there once agents may, by owner and name, 1,000 at most. */
    writers,

    /** Those that the user is a member of, by name; the others and archived ones only when asked for. */
    list: (user: string | undefined, { others, archived }: { others: boolean, archived: boolean }) =>
      db.query<WorkspaceEntry>(
        `select ${ENTRY} from ${OF_USER}
         where ($2 or own.role is not null) and ($3 or w.archived_at is null) order by w.name, w.id`,
        [user ?? null, others, archived]),

    /** Its first admin is the user. @throws {Refusal} `conflict` when the slug is taken */
    async create (
      { slug, name, description }: { slug: string, name: string, description?: string | undefined }, user: string
    ) {
      const [made] = await db.query<{ id: string }>(
        `with made as (
           insert into workspaces (id, slug, name, description, created_at) values ($1, $2, $3, $4, now())
           on conflict (slug) do nothing returning id
         ), admin as (
           insert into memberships (user_id, workspace_id, role) select $5::uuid, id, 'admin' from made
         ) select id from made`,
        [randomUUID(), slug, name, description ?? null, user])
      if (!made) {
        throw new Refusal(
          `There is a workspace with the slug ${JSON.stringify(slug)} already: choose another.`, 'conflict')
      }
      return requireEntry(made.id, user)
    },

    /** Says who gains where that lets agents do more. @throws {Refusal} `not_found` for an unknown id */
    async change (
      id: string, { name, description, archived, agents }: WorkspaceChange, user: string | undefined
    ): Promise<WorkspaceEntry & { gains?: WorkspaceWriter[] }> {
      const [before] = await db.query<Pick<WorkspaceEntry, 'agents'>>(
        `with before as (select id, agents from workspaces where id = $1 for update)
         update workspaces w set name = coalesce($2, w.name), description = coalesce($3, w.description),
           archived_at =
             case when $4::boolean is null then w.archived_at when $4 then coalesce(w.archived_at, now()) end,
           agents = coalesce($5, w.agents)
         from before where w.id = before.id returning before.agents`,
        [id, name ?? null, description ?? null, archived ?? null, agents ?? null])
      const entry = await requireEntry(id, user)
      return before && agents && isWider(agents, before.agents) ? { ...entry, gains: await writers(id) } : entry
    },

    async members (id: string) {
      return await db.query<{ user: User, role: Membership['role'] }>(
        `select jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name, 'kind', u.kind) as user, m.role
         from memberships m join users u on u.id = m.user_id
         where m.workspace_id = $1 order by lower(u.name), u.id`, [id])
    }
  }
}
