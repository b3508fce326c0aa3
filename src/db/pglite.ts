/**
 * The database inside this process: PGlite, on a folder or in memory. One statement runs at a time, the callers take turns, and between
 * statements the event loop gets its turn, as a statement holds it until it is done.
 */
import { PGlite } from '@electric-sql/pglite'
import { btree_gin as scalars } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm as trigrams } from '@electric-sql/pglite/contrib/pg_trgm'
import { vector } from '@electric-sql/pglite-pgvector'
import { createEventLoopYield } from '../lib/event-loop-yield.js'
import type { Database, Queryable } from './database.js'
import { createFairQueue } from './fair-queue.js'
import { pgliteStatements } from './pglite-statements.js'
import { makeContentPrivate, makePrivateFolder } from './private-folder.js'
import { PG_SETTINGS } from './pg-settings.js'

/** For so many milliseconds statements may follow each other at once: one turn of the event loop costs less than a tenth of it. */
const SLICE_MS = 10

export interface PgliteOptions {
  /** A dump of a data folder to start from, as `dumpDataDir` makes it. */
  from?: Blob
}

/** Without a folder the data lives in memory. */
export const openPglite = async (
  folder?: string, { from }: PgliteOptions = {}
): Promise<Database & { pglite: PGlite }> => {
  if (folder !== undefined) await makePrivateFolder(folder)
  const pglite = await PGlite.create({
    ...(folder !== undefined && { dataDir: folder }),
    ...(from && { loadDataDir: from }),
    extensions: { vector, pg_trgm: trigrams, btree_gin: scalars }
  })
  // It sets the modes of its first files itself.
  if (folder !== undefined) await makeContentPrivate(folder, 'PG_VERSION')
  await pglite.exec(Object.entries(PG_SETTINGS).map(([name, value]) => `set ${name} = ${value}`).join('; '))
  const statements = pgliteStatements(pglite)
  // There is but one connection: nobody else's statement comes into a transaction, or between the messages of another.
  const queue = createFairQueue({ maxRunning: 1 })
  const yieldToEventLoop = createEventLoopYield(SLICE_MS)
  const query: Queryable['query'] = async (text, values = [], { signal } = {}) => {
    await yieldToEventLoop()
    signal?.throwIfAborted()
    if (!pglite.ready) throw new Error('the database is closed')
    return await statements.run(text, values)
  }
  return {
    pglite,
    query: (...args) => queue.run(() => query(...args)),
    transaction: (work) => queue.run(() => pglite.transaction(() => work({ query }))),
    script: (text) => queue.run(async () => {
      await pglite.exec(text)
      await statements.forget()
    }),
    exclusively: (work) => work(),
    close: () => queue.run(() => pglite.close())
  }
}
