/**
 * The embedded database in the thread of its caller, for programs that serve no one beside it: a statement holds the
 * event loop until it is done. Between statements the event loop gets its turn.
 */
import type { PGlite } from '@electric-sql/pglite'
import { createEventLoopYield } from '../../lib/async/event-loop-yield.js'
import type { Database } from '../sql/database.js'
import { pgliteDatabase } from './pglite-database.js'
import { openPgliteEngine, type PgliteOptions } from './pglite-engine.js'

/**
 * For so many milliseconds statements may follow each other at once: one turn of the event loop costs less than a
 * tenth of it.
 */
const SLICE_MS = 10

/** Without a folder the data lives in memory. */
export const openPglite = async (
  folder?: string, { from }: Pick<PgliteOptions, 'from'> = {}
): Promise<Database & { pglite: PGlite }> => {
  const engine = await openPgliteEngine({ folder, from })
  const yieldToEventLoop = createEventLoopYield(SLICE_MS)
  return {
    ...pgliteDatabase({
      ...engine,
      async run (text, values) {
        await yieldToEventLoop()
        return await engine.run(text, values)
      }
    }),
    pglite: engine.pglite
  }
}
