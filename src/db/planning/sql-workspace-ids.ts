/** Resolves the workspaces that a new credential is limited to. */
import { Refusal } from '../../lib/errors.js'
import type { Queryable } from '../sql/database.js'

/**
 * Returns the ids of workspaces that are named by id or slug, in the same order.
 * @throws {Refusal} `not_found` for the first name without a workspace
 */
export const workspaceIds = async (db: Queryable, names: readonly string[]): Promise<string[]> => {
  const rows = await db.query<{ id: string, slug: string }>(
    'select id, slug from workspaces where id::text = any($1) or slug = any($1)',
    [names.map((name) => name.toLowerCase())])
  return names.map((name) => {
    const workspace = rows.find(({ id, slug }) => [id, slug].includes(name.toLowerCase()))
    if (!workspace) {
      throw new Refusal(
        `There is no workspace ${JSON.stringify(name.slice(0, 100))}. Name one by its id or slug.`, 'not_found')
    }
    return workspace.id
  })
}
