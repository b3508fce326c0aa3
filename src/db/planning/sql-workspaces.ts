/** Workspaces on a database, as far as the caller may see them. */
import { decodeCursor, encodeCursor, pageOf } from '../sql/cursor.js'
import type { Queryable } from '../sql/database.js'
import { prefixPattern } from '../sql/prefix.js'
import { sanitizeText } from '../../lib/text/text.js'
import type { Workspaces, WorkspaceSummary } from '../../planning/store.js'
import { isUuid } from '../../lib/uuid.js'
import { omitNulls } from '../sql/rows.js'

/** The column `exploration_count` of `workspaces w`: what the team works with, without what is archived. */
export const EXPLORATION_COUNT = `
  (select count(*)::int from explorations e where e.workspace_id = w.id and e.status <> 'archived')
  as exploration_count`

const SUMMARY = `
  w.id, w.slug, w.name, w.description, rfc3339(w.created_at) as created_at, ${EXPLORATION_COUNT}`

export const workspaces = (db: Queryable): Workspaces => ({
  async list (visible, { limit, cursor, signal }) {
    const after = decodeCursor('workspaces', cursor, isNameAndId)
    const rows = await db.query<WorkspaceSummary>(
      `select ${SUMMARY} from workspaces w
       where w.id = any($1::uuid[]) and ($2::text is null or (w.name, w.id) > ($2, $3::uuid))
       order by w.name, w.id limit $4`,
      [visible, after ? sanitizeText(after[0]) : null, after?.[1] ?? null, limit + 1], { signal })
    return pageOf(rows.map(omitNulls), limit, ({ name, id }) => encodeCursor('workspaces', [name, id]))
  },

  async get (visible, id) {
    if (!isUuid(id)) return undefined
    const [row] = await db.query<WorkspaceSummary>(
      `select ${SUMMARY} from workspaces w where w.id = $2 and w.id = any($1::uuid[])`, [visible, id])
    return row && omitNulls(row)
  },

  complete: (visible, prefix, limit) => db.query(
    `select id, slug, name from workspaces
     where id = any($1::uuid[]) and (id::text like $2 or lower(slug) like $2 or lower(name) like $2)
     order by name, id limit $3`,
    [visible, prefixPattern(prefix), limit])
})

const isNameAndId = (position: unknown[]): position is [string, string] =>
  position.length === 2 && typeof position[0] === 'string' && typeof position[1] === 'string' && isUuid(position[1])
