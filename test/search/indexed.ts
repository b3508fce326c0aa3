/** A database that holds records, with the words and meanings that the product makes of them by its built-in embedder, and its search. */
import { tmpdir } from 'node:os'
import { readConfig } from '../../src/config.js'
import { importRecords } from '../../src/import/import-records.js'
import { adoptedEmbedders } from '../../src/search/adopted-embedders.js'
import type { Embedder } from '../../src/search/embedder.js'
import { openEmbedders } from '../../src/search/embedders.js'
import { finding } from '../../src/search/find.js'
import { searchIndex } from '../../src/search/search-index.js'
import type { Database } from '../../src/store/database.js'
import type { Line } from '../../src/store/records.js'
import { sqlIndex } from '../../src/store/search-index.js'
import { sqlSearch } from '../../src/store/search.js'
import { writeWords } from '../../src/store/search-words.js'
import type { Search } from '../../src/store/store.js'
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
