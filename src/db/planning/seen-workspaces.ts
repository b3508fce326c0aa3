/**
 * Which workspaces a user sees: the one definition, for the pages that a person opens and for each credential of
 * theirs. A server administrator sees no more than others.
 */
import { Refusal } from '../../lib/errors.js'
import type { Queryable } from '../sql/database.js'

/** Memberships `m` in workspaces `w` that are not archived: to stand after `from`, with a condition on `m.user_id`. */
export const SEEN_WORKSPACES =
  'memberships m join workspaces w on w.id = m.workspace_id and w.archived_at is null'

/** SQL: the roles `m` in workspaces `w` as a JSON array, by the workspace's name. */
export const rolesFrom = (from: string): string => `coalesce((select jsonb_agg(
    jsonb_build_object('workspace', jsonb_build_object('id', w.id, 'slug', w.slug, 'name', w.name), 'role', m.role)
    order by w.name, w.id) from ${from}), '[]')`

/**
 * Returns the ids of workspaces that are named by id or slug, in the same order. With an owner only of those that they
 * see.
 * @throws {Refusal} `not_found` for the first name of another one, which tells an owner not whether there is one
 */
export const idsOfWorkspaces = async (
  db: Queryable, names: readonly string[], owner?: { id: string, email: string }
): Promise<string[]> => {
  const [statement, value] = owner
    ? [`select w.id, w.slug from ${SEEN_WORKSPACES} where m.user_id = $1`, owner.id]
    : ['select id, slug from workspaces where id::text = any($1) or slug = any($1)',
        names.map((name) => name.toLowerCase())]
  const rows = await db.query<{ id: string, slug: string }>(statement, [value])
  const why = owner
    ? `, or ${owner.email} is not a member of it: a credential reads only workspaces of its owner. An admin of the ` +
      'workspace can add them.'
    : '. Name one by its id or slug.'
  return names.map((name) => {
    const workspace = rows.find(({ id, slug }) => [id, slug].includes(name.toLowerCase()))
    if (!workspace) throw new Refusal(`There is no workspace ${JSON.stringify(name.slice(0, 100))}${why}`, 'not_found')
    return workspace.id
  })
}
