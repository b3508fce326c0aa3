/** The database port over PGlite, wherever that runs: one statement runs at a time, and the callers take turns. */
import { nextTurn } from '../lib/next-turn.js'
import type { Database, Queryable } from './database.js'
import { createFairQueue } from '../lib/fair-queue.js'
import type { PgliteEngine } from './pglite-engine.js'
import type { PgliteStatement } from './pglite-statements.js'

interface WaitingStatement extends PgliteStatement { resolve (rows: unknown[]): void, reject (error: unknown): void }

/** Returns the database port over an engine that this process, a thread or a test runs. */
export const pgliteDatabase = (engine: PgliteEngine): Database => {
  // There is but one connection: nobody else's statement comes into a transaction, or between the messages of another.
  const queue = createFairQueue({ maxRunning: 1 })
  let open = true
  const query: Queryable['query'] = async (text, values = [], { signal } = {}) => {
    signal?.throwIfAborted()
    if (!open) throw new Error('the database is closed')
    return await engine.run(text, values)
  }

  // One message and one transaction, in place of one for each statement. Two turns of the event loop are waited for,
  // in which those whom the last message answered send their next statements.
  let waiting: WaitingStatement[] = []
  const runWaiting = async (): Promise<void> => {
    await nextTurn()
    await nextTurn()
    const statements = waiting
    waiting = []
    try {
      if (!open) throw new Error('the database is closed')
      const outcomes = await engine.runTogether(statements.map(({ text, values }) => ({ text, values })))
      outcomes.forEach((outcome, place) => {
        if ('error' in outcome) statements[place]?.reject(outcome.error)
        else statements[place]?.resolve(outcome.rows)
      })
    } catch (error) {
      for (const { reject } of statements) reject(error)
    }
  }
  const queryTogether = <R>(text: string, values: readonly unknown[]) => new Promise<R[]>((resolve, reject) => {
    // The author of the statement says what its rows are.
    waiting.push({ text, values, resolve: (rows) => { resolve(rows as R[]) }, reject })
    if (waiting.length === 1) queue.run(runWaiting).catch(reject)
  })

  return {
    query: (text, values, options = {}) => options.together && !options.signal
      ? queryTogether(text, values ?? [])
      : queue.run(() => query(text, values, options), options.caller),
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
