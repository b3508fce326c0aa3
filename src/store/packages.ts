/** Requirement packages. */
import type { Queryable } from './database.js'
import { prefixPattern } from './prefix.js'
import type { RequirementPackage } from './records.js'
import { storable } from './storable.js'
import type { Packages } from './store.js'
import { isUuid } from './uuid.js'
import { withoutNulls } from './without-nulls.js'

export const packages = (db: Queryable): Packages => ({
  async get (explorationId, artifactType, signal) {
    if (!isUuid(explorationId)) return undefined
    const [row] = await db.query<RequirementPackage>(
      `select exploration_id, artifact_type, title, markdown, version, rfc3339(updated_at) as updated_at
       from requirement_packages where exploration_id = $1 and artifact_type = $2`,
      [explorationId, storable(artifactType)], { signal })
    return row && withoutNulls(row)
  },

  async types (explorationId) {
    if (!isUuid(explorationId)) return []
    const rows = await db.query<{ artifact_type: string }>(
      'select artifact_type from requirement_packages where exploration_id = $1 order by artifact_type', [explorationId])
    return rows.map((row) => row.artifact_type)
  },

  async complete (visible, prefix, limit, explorationId) {
    if (explorationId !== undefined && !isUuid(explorationId)) return []
    const rows = await db.query<{ artifact_type: string }>(
      `select distinct p.artifact_type from requirement_packages p join explorations e on e.id = p.exploration_id
       where e.workspace_id = any($1::uuid[]) and p.artifact_type like $2 and ($4::uuid is null or e.id = $4)
       order by p.artifact_type limit $3`,
      [visible, prefixPattern(prefix), limit, explorationId ?? null])
    return rows.map((row) => row.artifact_type)
  }
})
