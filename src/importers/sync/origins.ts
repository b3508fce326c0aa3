/** Reads and writes the origins of imported explorations and decisions. */
import type { Queryable } from '../../db/sql/database.js'

export interface Origin {
  source: string
  kind: 'exploration' | 'recommendation'
  format: string
  path: string
  id: string
  /** The digest of the records as they were last written; null when unknown. */
  digest: string | null
}

/** Identifies an origin within its source. */
export const originKey = ({ kind, format, path }: Pick<Origin, 'kind' | 'format' | 'path'>): string =>
  `${kind}\0${format}\0${path}`

/** The origins from all sources of a workspace: records of another source must not be taken over. */
export const readOrigins = (db: Queryable, workspaceId: string): Promise<Origin[]> =>
  db.query<Origin>(
    'select source, kind, format, path, id::text as id, digest from import_origins where workspace_id = $1::uuid',
    [workspaceId]
  )

const BATCH = 1000

/** Inserts or replaces the origins, in batches. */
export const writeOrigins = async (db: Queryable, workspaceId: string, origins: readonly Origin[]): Promise<void> => {
  for (let start = 0; start < origins.length; start += BATCH) {
    await db.query(
      `insert into import_origins (workspace_id, source, kind, format, path, id, digest)
       select $1::uuid, source, kind, format, path, id, digest
       from jsonb_to_recordset($2::jsonb) as x (source text, kind text, format text, path text, id uuid, digest text)
       on conflict (workspace_id, source, kind, format, path) do update set id = excluded.id, digest = excluded.digest`,
      [workspaceId, JSON.stringify(origins.slice(start, start + BATCH))]
    )
  }
}
