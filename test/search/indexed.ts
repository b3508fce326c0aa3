/** A database that holds records, with the words and meanings that the product makes of them by its built-in embedder, and its search. */
import { tmpdir } from 'node:os'
import { readConfig } from '../../src/config/config.js'
import { importRecords } from '../../src/importers/records/import-records.js'
import { createEmbedderRegistry, type EmbedderPool, type EmbedderRegistry } from '../../src/search/embedder-registry.js'
import type { Embedder } from '../../src/search/embedder.js'
import { openEmbedderPool } from '../../src/search/embedder-pool.js'
import { createHybridSearch } from '../../src/search/hybrid-search.js'
import { createIndexer } from '../../src/search/indexer.js'
import type { SearchEngine } from '../../src/search/search-engine.js'
import type { Database } from '../../src/db/sql/database.js'
import type { Line } from '../../src/planning/records.js'
import { sqlVectorStore } from '../../src/search/ranking/vector-store.js'
import { sqlSearch } from '../../src/search/ranking/sql-search.js'
import { updateTsvectors } from '../../src/search/ranking/update-tsvectors.js'
import type { Search } from '../../src/planning/store.js'
import { bytesOf } from '../helpers/planning-data.js'

export const indexed = async (
  db: Database, lines: readonly Line[]
): Promise<{ search: Search, embedder: Embedder, registry: EmbedderRegistry }> => {
  await importRecords(db, bytesOf(lines), { spoolDir: tmpdir() })
  const embedders = openEmbedderPool(readConfig({}, {}))
  const { registry, index, search } = searchOn(db, embedders, embedders.engine)
  const { state, reason } = await index.settle()
  await index.close()
  if (state !== 'complete') throw new Error(`the index is ${state}: ${reason}`)
  return { search, embedder: (await embedders.configured()).embedder, registry }
}

/** The index of one process and its search, as a server composes them. */
export const searchOn = (db: Database, embedders: EmbedderPool, engine: SearchEngine) => {
  const store = sqlVectorStore(db)
  const registry = createEmbedderRegistry(store, embedders)
  const index = createIndexer({ store, writeWords: () => updateTsvectors(db), embedders, registry })
  return { registry, index, search: createHybridSearch({ sql: sqlSearch(db), registry, engine, onQuery: index.recordQuery }) }
}
