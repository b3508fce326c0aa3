/** Recommendations on a database. Only approved ones are read. */
import type { Queryable } from '../sql/database.js'
import type { Recommendation } from '../../planning/records.js'
import type { Recommendations } from '../../planning/store.js'
import { isUuid } from '../../lib/uuid.js'
import { omitNulls } from '../sql/rows.js'

/** The recommendations on `db`, strategies first. */
export const recommendations = (db: Queryable): Recommendations => ({
  async approved (explorationId, kind) {
    if (!isUuid(explorationId)) return []
    const rows = await db.query<Recommendation>(
      `select id, exploration_id, kind, title, body, status, approved_by, rfc3339(approved_at) as approved_at
       from recommendations
       where exploration_id = $1 and status = 'approved' and ($2::text is null or kind = $2)
       order by kind = 'strategy' desc, title, id`,
      [explorationId, kind ?? null])
    return rows.map(omitNulls)
  }
})
