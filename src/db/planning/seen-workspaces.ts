/**
 * Which workspaces a user sees: the one definition, for the pages that a person opens and for each credential of
 * theirs. A server administrator sees no more than others.
 */
import { Refusal } from '../../lib/errors.js'
import type { Queryable } from '../sql/database.js'

/** Memberships `m` in workspaces `w` that are not archived: to stand after `from`, with a condition on `m.user_id`. */
export const SEEN_WORKSPACES =
  'memberships m join workspaces w on w.id = m.workspace_id and w.archived_at is null'

/**
 * Returns the ids of workspaces that the user sees and that are named by id or slug, in the same order.
 * @throws {Refusal} `not_found` for the first name of a workspace that they do not see; also when there is one
 */
export const seenWorkspaceIds = async (
  db: Queryable, { id: user, email }: { id: string, email: string }, names: readonly string[]
): Promise<string[]> => {
  const seen = await db.query<{ id: string, slug: string }>(
    `select w.id, w.slug from ${SEEN_WORKSPACES} where m.user_id = $1`, [user])
  return names.map((name) => {
    const workspace = seen.find(({ id, slug }) => [id, slug].includes(name.toLowerCase()))
    if (!workspace) {
      throw new Refusal(
        `There is no workspace ${JSON.stringify(name.slice(0, 100))}, or ${email} is not a member of it: a ` +
          'credential reads only workspaces of its owner. An admin of the workspace can add them.', 'not_found')
    }
    return workspace.id
  })
}
