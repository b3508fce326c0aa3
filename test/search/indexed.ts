/** A database that holds records, with the words and meanings that the product makes of them by its built-in embedder, and its search. */
import { tmpdir } from 'node:os'
import { readConfig } from '../../src/config.js'
import { importRecords } from '../../src/importers/records/import-records.js'
import { adoptedEmbedders } from '../../src/search/embedder-registry.js'
import type { Embedder } from '../../src/search/embedder.js'
import { openEmbedders } from '../../src/search/embedder-pool.js'
import { finding } from '../../src/search/hybrid-search.js'
import { searchIndex } from '../../src/search/indexer.js'
import type { Database } from '../../src/db/database.js'
import type { Line } from '../../src/planning/records.js'
import { sqlIndex } from '../../src/db/vector-store.js'
import { sqlSearch } from '../../src/db/sql-search.js'
import { writeWords } from '../../src/db/update-tsvectors.js'
import type { Search } from '../../src/planning/store.js'
import { bytesOf } from '../helpers/planning-data.js'

export const indexed = async (db: Database, lines: readonly Line[]): Promise<{ search: Search, embedder: Embedder }> => {
  await importRecords(db, bytesOf(lines), { spoolDir: tmpdir() })
  const embedders = openEmbedders(readConfig({}, {}))
  const store = sqlIndex(db)
  const adopted = adoptedEmbedders(store, embedders)
  const index = searchIndex({ store, writeWords: () => writeWords(db), embedders, adopted })
  const { state, reason } = await index.settle()
  await index.close()
  if (state !== 'complete') throw new Error(`the index is ${state}: ${reason}`)
  return { search: finding({ sql: sqlSearch(db), adopted, sentences: embedders.local }), embedder: await embedders.local() }
}
