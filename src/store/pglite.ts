/** The database inside this process: PGlite, on a folder or in memory. One statement runs at a time. */
import { PGlite } from '@electric-sql/pglite'
import { btree_gin as scalars } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm as trigrams } from '@electric-sql/pglite/contrib/pg_trgm'
import { vector } from '@electric-sql/pglite-pgvector'
import type { Database, Queryable } from './database.js'

export interface PgliteOptions {
  /** A dump of a data folder to start from, as `dumpDataDir` makes it. */
  from?: Blob
}

/** Without a folder the data lives in memory. */
export const openPglite = async (folder?: string, { from }: PgliteOptions = {}): Promise<Database & { pglite: PGlite }> => {
  const pglite = await PGlite.create({
    ...(folder !== undefined && { dataDir: folder }),
    ...(from && { loadDataDir: from }),
    extensions: { vector, pg_trgm: trigrams, btree_gin: scalars }
  })
  // As many nearest vectors as search asks for, and on until enough of them are of workspaces that the caller sees.
  await pglite.exec('set hnsw.ef_search = 100; set hnsw.iterative_scan = relaxed_order')
  return {
    pglite,
    query: queryOn(pglite),
    transaction: (work) => pglite.transaction((tx) => work({ query: queryOn(tx) })),
    script: async (text) => { await pglite.exec(text) },
    exclusively: (work) => work(),
    close: () => pglite.close()
  }
}

const queryOn = (on: Pick<PGlite, 'query'>): Queryable['query'] => async <R>(text: string, values: readonly unknown[] = [], options: { signal?: AbortSignal | undefined } = {}) => {
  options.signal?.throwIfAborted()
  const { rows } = await on.query<R>(text, [...values])
  return rows
}
