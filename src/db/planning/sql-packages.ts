/** Requirement packages and recommendations on a database. */
import type { Queryable } from '../sql/database.js'
import { prefixPattern } from '../sql/prefix.js'
import type { Recommendation, RequirementPackage } from '../../planning/records.js'
import { sanitizeText } from '../../lib/text/text.js'
import type { Packages, Recommendations } from '../../planning/store.js'
import { isUuid } from '../../lib/uuid.js'
import { omitNulls } from '../sql/rows.js'

// The most recently changed explorations have nearly all types of packages.
const LATEST = `
  select id from explorations e where e.workspace_id = visible.workspace_id
  order by e.updated_at desc, e.id limit greatest(10, 1000 / cardinality($1::uuid[]))`
const ONE = 'select id from explorations e where e.workspace_id = visible.workspace_id and e.id = $4'

export const packages = (db: Queryable): Packages => ({
  async get (explorationId, artifactType, signal) {
    if (!isUuid(explorationId)) return undefined
    const [row] = await db.query<RequirementPackage>(
      `select exploration_id, artifact_type, title, markdown, version, rfc3339(updated_at) as updated_at
       from requirement_packages where exploration_id = $1 and artifact_type = $2`,
      [explorationId, sanitizeText(artifactType)], { signal })
    return row && omitNulls(row)
  },

  async types (explorationId) {
    if (!isUuid(explorationId)) return []
    const rows = await db.query<{ artifact_type: string }>(
      'select artifact_type from requirement_packages where exploration_id = $1 order by artifact_type',
      [explorationId])
    return rows.map((row) => row.artifact_type)
  },

  async complete (visible, prefix, limit, explorationId) {
    if (explorationId !== undefined && !isUuid(explorationId)) return []
    const rows = await db.query<{ type: string }>(
      `select distinct type from unnest($1::uuid[]) as visible (workspace_id)
         cross join lateral (${explorationId === undefined ? LATEST : ONE}) e
         cross join lateral unnest(array(
           select p.artifact_type from requirement_packages p where p.exploration_id = e.id)) as type
       where type like $2 order by type limit $3`,
      [visible, prefixPattern(prefix), limit, ...explorationId === undefined ? [] : [explorationId]])
    return rows.map(({ type }) => type)
  }
})

/** The approved recommendations on `db`, strategies first. */
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
