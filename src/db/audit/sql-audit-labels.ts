/** Names for the ids in audit events, as far as the reader may see them. */
import type { AuditRecord } from '../../access/audit/audit-log.js'
import type { ClientKind } from '../../access/oauth/oauth-clients.js'
import type { CredentialKind } from '../../lib/principal.js'
import type { Queryable } from '../sql/database.js'

export interface CredentialLabel {
  id: string
  kind: CredentialKind
  name: string
  hint: string
  /** Of a connection: the host that vouches for the application. */
  host: string | null
  /** Of a connection. */
  client_kind: ClientKind | null
}

export interface AuditLabels {
  users: ReadonlyMap<string, { id: string, email: string, name: string }>
  credentials: ReadonlyMap<string, CredentialLabel>
  workspaces: ReadonlyMap<string, { id: string, slug: string, name: string }>
  explorations: ReadonlyMap<string, { id: string, title: string }>
}

/** The field of an event that holds an id of each kind. */
const FIELDS = {
  users: 'user_id', credentials: 'credential_id', workspaces: 'workspace_id', explorations: 'exploration_id'
} as const

export type LabelledIds = Record<keyof typeof FIELDS, readonly string[]>

export interface LabelScope {
  /** Ids of the users whose names, and whose credentials' names, the reader may see; undefined: everybody's. */
  users: readonly string[] | undefined
  /** Ids of the workspaces whose names the reader may see; undefined: all names. */
  workspaces: readonly string[] | undefined
  /** Ids of the workspaces whose explorations the reader sees; undefined: all. */
  explorationsOf: readonly string[] | undefined
}

/** Reads the names that are within scope. An event holds ids that its user only asked for, so that each is checked. */
export type ReadAuditLabels = (ids: LabelledIds, scope: LabelScope) => Promise<AuditLabels>

const LABELS = `
  select 'users' as of, u.id, jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name) as label from users u
  where u.id = any($1::uuid[]) and ($6::uuid[] is null or u.id = any($6))
  union all
  select 'credentials', c.id, jsonb_build_object('id', c.id, 'kind', c.kind, 'name', c.name, 'hint', c.hint,
    'host', c.client_host, 'client_kind', c.client_kind)
  from credentials c
  where c.id = any($2::uuid[]) and ($6::uuid[] is null or c.user_id = any($6))
  union all
  select 'workspaces', w.id, jsonb_build_object('id', w.id, 'slug', w.slug, 'name', w.name) from workspaces w
  where w.id = any($3::uuid[]) and ($5::uuid[] is null or w.id = any($5))
  union all
  select 'explorations', e.id, jsonb_build_object('id', e.id, 'title', e.title) from explorations e
  where e.id = any($4::uuid[]) and ($7::uuid[] is null or e.workspace_id = any($7))`

export const sqlAuditLabels = (db: Queryable): ReadAuditLabels => async (
  ids, { users, workspaces, explorationsOf }
) => {
  const rows = await db.query<{ of: keyof AuditLabels, id: string, label: never }>(
    LABELS,
    [
      ids.users, ids.credentials, ids.workspaces, ids.explorations, workspaces ?? null, users ?? null,
      explorationsOf ?? null
    ])
  return each((of) => new Map(rows.filter((row) => row.of === of).map(({ id, label }) => [id, label])))
}

export const idsIn = (events: readonly AuditRecord[]): LabelledIds =>
  each((of) => [...new Set(events.flatMap((event) => event[FIELDS[of]] ?? []))])

const each = <Value>(of: (kind: keyof typeof FIELDS) => Value): Record<keyof typeof FIELDS, Value> => ({
  users: of('users'), credentials: of('credentials'), workspaces: of('workspaces'), explorations: of('explorations')
})
