/** Names for the ids in audit events, as far as the reader may see them. */
import type { CredentialKind } from '../lib/principal.js'
import type { Queryable } from './database.js'

export interface AuditLabels {
  users: ReadonlyMap<string, { id: string, email: string, name: string }>
  credentials: ReadonlyMap<string, { id: string, kind: CredentialKind, name: string, hint: string }>
  workspaces: ReadonlyMap<string, { id: string, slug: string, name: string }>
  explorations: ReadonlyMap<string, { id: string, title: string }>
}

export interface LabelledIds {
  users: readonly string[]
  credentials: readonly string[]
  workspaces: readonly string[]
  explorations: readonly string[]
}

/** Reads the names of users and credentials, and those of the workspaces and explorations that are within `visible`. */
export type ReadAuditLabels = (ids: LabelledIds, visible: readonly string[]) => Promise<AuditLabels>

const LABELS = `
  select 'users' as of, u.id, jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name) as label from users u where u.id = any($1::uuid[])
  union all
  select 'credentials', c.id, jsonb_build_object('id', c.id, 'kind', c.kind, 'name', c.name, 'hint', c.hint) from credentials c where c.id = any($2::uuid[])
  union all
  select 'workspaces', w.id, jsonb_build_object('id', w.id, 'slug', w.slug, 'name', w.name) from workspaces w
  where w.id = any($3::uuid[]) and w.id = any($5::uuid[])
  union all
  select 'explorations', e.id, jsonb_build_object('id', e.id, 'title', e.title) from explorations e
  where e.id = any($4::uuid[]) and e.workspace_id = any($5::uuid[])`

export const sqlAuditLabels = (db: Queryable): ReadAuditLabels => async (ids, visible) => {
  const rows = await db.query<{ of: keyof AuditLabels, id: string, label: never }>(
    LABELS, [ids.users, ids.credentials, ids.workspaces, ids.explorations, visible])
  const map = (of: keyof AuditLabels) => new Map(rows.filter((row) => row.of === of).map(({ id, label }) => [id, label]))
  return { users: map('users'), credentials: map('credentials'), workspaces: map('workspaces'), explorations: map('explorations') }
}
