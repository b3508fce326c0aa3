/** Where imported explorations and decisions come from: read and written in the database. */
import type { Queryable } from '../../db/database.js'

export interface Origin {
  source: string
  kind: 'exploration' | 'recommendation'
  format: string
  path: string
  id: string
  /** Of the records as they were last written; null when that is not known. */
  digest: string | null
}

export const originKey = ({ kind, format, path }: Pick<Origin, 'kind' | 'format' | 'path'>): string =>
  `${kind}\0${format}\0${path}`

/** Of all sources of a workspace: what another one brought must not be taken over. */
export const readOrigins = (db: Queryable, workspaceId: string): Promise<Origin[]> =>
  db.query<Origin>(
    'select source, kind, format, path, id::text as id, digest from import_origins where workspace_id = $1::uuid',
    [workspaceId]
  )

const BATCH = 1000

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
