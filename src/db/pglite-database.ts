/** The database port over PGlite, wherever that runs: one statement runs at a time, and the callers take turns. */
import type { Database, Queryable } from './database.js'
import { createFairQueue } from './fair-queue.js'
import type { PgliteEngine } from './pglite-engine.js'

export interface PgliteDatabaseOptions {
  /**
   * Statements that the engine has at the same time; it runs them in their order. 1 by default. More make sense for an
   * engine in another thread, which then has the next statement when it has done one.
   */
  maxPipelined?: number
}

/** Returns the database port over an engine that this process, a thread or a test runs. */
export const pgliteDatabase = (engine: PgliteEngine, { maxPipelined = 1 }: PgliteDatabaseOptions = {}): Database => {
  const queue = createFairQueue({ maxRunning: maxPipelined })
  let open = true
  const query: Queryable['query'] = async (text, values = [], { signal } = {}) => {
    signal?.throwIfAborted()
    if (!open) throw new Error('the database is closed')
    return await engine.run(text, values)
  }

  // There is but one connection: nobody else's statement comes into a transaction. What the engine got before runs
  // before; what comes later waits for this.
  let lastExclusive: Promise<void> | undefined
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => lastExclusive ? lastExclusive.then(work) : work()
  const exclusively = <T>(work: () => Promise<T>): Promise<T> => queue.run(() => {
    const running = inOrder(work)
    const end = (): void => { if (lastExclusive === ended) lastExclusive = undefined }
    const ended: Promise<void> = running.then(end, end)
    lastExclusive = ended
    return running
  })

  return {
    query: (text, values, options) => queue.run(() => inOrder(() => query(text, values, options)), options?.caller),
    transaction: (work) => exclusively(async () => {
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
    script: (text) => exclusively(() => engine.script(text)),
    exclusively: (work) => work(),
    close: () => exclusively(async () => {
      open = false
      await engine.close()
    })
  }
}
