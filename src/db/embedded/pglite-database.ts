/** The database port over PGlite, wherever that runs: one statement runs at a time, and the callers take turns. */
import type { Database, Queryable } from '../sql/database.js'
import { createFairQueue } from '../../lib/async/fair-queue.js'
import type { PgliteEngine } from './pglite-engine.js'

export const pgliteDatabase = (engine: PgliteEngine): Database => {
  // There is but one connection: no other statement comes into a transaction, or between the messages of another.
  const queue = createFairQueue({ maxRunning: 1 })
  let open = true
  const query: Queryable['query'] = async (text, values = [], { signal } = {}) => {
    signal?.throwIfAborted()
    if (!open) throw new Error('the database is closed')
    return await engine.run(text, values)
  }

  return {
    query: (text, values, options = {}) => queue.run(() => query(text, values, options), options.caller),
    transaction: (work) => queue.run(async () => {
      if (!open) throw new Error('the database is closed')
      await engine.exec('begin')
      try {
        const outcome = await work({ query })
        await engine.exec('commit')
        return outcome
      } catch (error) {
        // The error of the work says more than one of the rollback after it.
        await engine.exec('rollback').catch(() => {})
        throw error
      }
    }),
    script: (text) => queue.run(() => engine.script(text)),
    exclusively: (work) => work(),
    onNotification: (listener) => engine.onNotification(listener),
    close: () => queue.run(async () => {
      open = false
      await engine.close()
    })
  }
}
