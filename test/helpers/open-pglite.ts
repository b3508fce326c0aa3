/** The embedded database in the thread of the test. */
import type { PGlite } from '@electric-sql/pglite'
import { createEventLoopYield } from '../../src/lib/async/event-loop-yield.js'
import type { Database } from '../../src/db/sql/database.js'
import { pgliteDatabase } from '../../src/db/embedded/pglite-database.js'
import { openPgliteEngine } from '../../src/db/embedded/pglite-engine.js'

/** Without a folder the data lives in memory. Between statements the event loop gets its turn. */
export const openPglite = async (folder?: string, from?: Blob): Promise<Database & { pglite: PGlite }> => {
  const engine = await openPgliteEngine({ folder, from })
  const yieldToEventLoop = createEventLoopYield(10)
  const database = pgliteDatabase({
    ...engine,
    run: async (text, values) => {
      await yieldToEventLoop()
      return await engine.run(text, values)
    }
  })
  return { ...database, pglite: engine.pglite }
}
