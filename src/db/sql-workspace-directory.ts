/** Workspaces as people administer them: also archived ones, with their members. */
import { randomUUID } from 'node:crypto'
import { Refusal } from '../lib/errors.js'
import { sanitizeText } from '../lib/sanitize-text.js'
import type { Membership, User } from '../planning/records.js'
import type { Queryable } from './database.js'

export interface WorkspaceEntry {
  id: string
  slug: string
  name: string
  description: string | null
  created_at: string
  /** Null while it is in use. */
  archived_at: string | null
  exploration_count: number
  member_count: number
}

export interface WorkspaceChange {
  name?: string | undefined
  description?: string | undefined
  archived?: boolean | undefined
}

export interface WorkspaceMember { user: User, role: Membership['role'] }

export interface WorkspaceDirectory {
  /** Ids of those that are not archived: of all, or of the given ones. */
  activeIds (among?: readonly string[]): Promise<string[]>
  /** By id, by name; undefined lists all. Archived ones only when asked for. */
  list (ids: readonly string[] | undefined, archived: boolean): Promise<WorkspaceEntry[]>
  /** By id or slug, archived ones too; undefined when there is none. */
  find (workspace: string): Promise<WorkspaceEntry | undefined>
  /** @throws {Refusal} `conflict` when the slug is taken */
  create (workspace: { slug: string, name: string, description?: string | undefined }): Promise<WorkspaceEntry>
  /** @throws {Refusal} `not_found` for an unknown id */
  change (id: string, change: WorkspaceChange): Promise<WorkspaceEntry>
  /** The members of a workspace, by name. */
  members (id: string): Promise<WorkspaceMember[]>
}

const ENTRY = `
  w.id, w.slug, w.name, w.description, rfc3339(w.created_at) as created_at, rfc3339(w.archived_at) as archived_at,
  (select count(*)::int from explorations e where e.workspace_id = w.id) as exploration_count,
  (select count(*)::int from memberships m where m.workspace_id = w.id) as member_count`

/** Returns the port to workspaces. Workspaces are named by id or slug. */
export const sqlWorkspaceDirectory = (db: Queryable): WorkspaceDirectory => {
  const find = async (workspace: string): Promise<WorkspaceEntry | undefined> => {
    const [entry] = await db.query<WorkspaceEntry>(
      `select ${ENTRY} from workspaces w where w.id::text = lower($1) or w.slug = $1`, [sanitizeText(workspace)])
    return entry
  }

  const requireEntry = async (id: string): Promise<WorkspaceEntry> => {
    const entry = await find(id)
    if (!entry) throw new Refusal(`There is no workspace ${JSON.stringify(id.slice(0, 64))}.`, 'not_found')
    return entry
  }

  return {
    find,

    async activeIds (among) {
      const rows = await db.query<{ id: string }>(
        `select id from workspaces
         where archived_at is null and ($1::uuid[] is null or id = any($1)) order by id`, [among ?? null])
      return rows.map(({ id }) => id)
    },

    list: (ids, archived) => db.query<WorkspaceEntry>(
      `select ${ENTRY} from workspaces w where ($1::uuid[] is null or w.id = any($1)) and ($2 or w.archived_at is ` +
        'null) order by w.name, w.id',
      [ids ?? null, archived]),

    async create ({ slug, name, description }) {
      const [made] = await db.query<{ id: string }>(
        `insert into workspaces (id, slug, name, description, created_at) values ($1, $2, $3, $4, now())
         on conflict (slug) do nothing returning id`,
        [randomUUID(), slug, name, description ?? null])
      if (!made) {
        throw new Refusal(
          `There is a workspace with the slug ${JSON.stringify(slug)} already: choose another.`, 'conflict')
      }
      return requireEntry(made.id)
    },

    async change (id, { name, description, archived }) {
      await db.query(
        `update workspaces set name = coalesce($2, name), description = coalesce($3, description),
           archived_at = case when $4::boolean is null then archived_at when $4 then coalesce(archived_at, now()) end
         where id = $1`,
        [id, name ?? null, description ?? null, archived ?? null])
      return requireEntry(id)
    },

    async members (id) {
      return await db.query<WorkspaceMember>(
        `select jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name, 'kind', u.kind) as user, m.role
         from memberships m join users u on u.id = m.user_id
         where m.workspace_id = $1 order by lower(u.name), u.id`, [id])
    }
  }
}
