/** The workspaces that a credential is limited to, as people name them. */
import { Refusal } from '../lib/errors.js'
import type { Queryable } from '../db/database.js'

/**
 * Ids of workspaces named by id or slug, in their order.
 * @throws {Refusal} for one that there is not
 */
export const workspaceIds = async (db: Queryable, named: readonly string[]): Promise<string[]> => {
  const rows = await db.query<{ id: string, slug: string }>(
    'select id, slug from workspaces where id::text = any($1) or slug = any($1)', [named.map((name) => name.toLowerCase())])
  return named.map((name) => {
    const found = rows.find(({ id, slug }) => [id, slug].includes(name.toLowerCase()))
    if (!found) throw new Refusal(`There is no workspace ${JSON.stringify(name.slice(0, 100))}. Name one by its id or slug.`, 'not_found')
    return found.id
  })
}
