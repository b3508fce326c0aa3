/** The embedded database in a thread of its own: meanwhile the server answers what needs no database. */
import { Worker } from 'node:worker_threads'
import type { Database } from '../sql/database.js'
import { pgliteDatabase } from './pglite-database.js'
import type { PgliteCall, PgliteMessage, PgliteWorkerData } from './pglite-worker.js'

interface PendingQuery { resolve (rows: unknown[]): void, reject (error: Error): void }

/** Rows live until they are sent: with more room for young objects the thread holds 30 MB that it does not need. */
const MAX_YOUNG_GENERATION_MB = 6

/** The thread keeps the process alive until the database is closed. @throws for a folder that holds no database */
export const openPgliteThread = async (folder?: string): Promise<Database> => {
  const worker = new Worker(new URL('pglite-worker.js', import.meta.url), {
    workerData: { folder } satisfies PgliteWorkerData,
    resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_MB }
  })
  const pending: PendingQuery[] = []
  let failure: Error | undefined
  let closing = false
  let onCrash: (reason: Error) => void = () => {}
  const crashed = new Promise<Error>((resolve) => { onCrash = resolve })
  const onEnd = (error: Error): void => {
    failure ??= error
    for (const { reject } of pending.splice(0)) reject(failure)
    if (!closing) onCrash(failure)
  }
  const listeners: Array<(channel: string) => void> = []
  worker.on('message', (message: PgliteMessage) => {
    if ('channel' in message) {
      for (const listener of listeners) listener(message.channel)
      return
    }
    const call = pending.shift()
    if ('rows' in message.value) call?.resolve(message.value.rows)
    else call?.reject(Object.assign(new Error(message.value.error.message), message.value.error.fields))
  })
  const onError = (error: unknown): void => onEnd(new Error(
    `The embedded database ended by itself (${error instanceof Error ? error.message : String(error)}).`, {
      cause: error
    }))
  worker.once('error', onError)
  // An answer that cannot be read leaves no one who knows which call the next one belongs to.
  worker.once('messageerror', onError)
  worker.once('exit', (code) => { onError(`exit code ${code}`) })

  /** The thread gives the rows that the author of the message says it has. */
  const call = async <R>(...message: PgliteCall): Promise<R[]> => {
    if (failure) throw failure
    // Throws for a value that cannot be sent, before an answer is waited for.
    worker.postMessage(message)
    return await new Promise<unknown[]>((resolve, reject) => { pending.push({ resolve, reject }) }) as R[]
  }

  try {
    await call('open')
  } catch (error) {
    closing = true
    await worker.terminate()
    throw error
  }
  const database = pgliteDatabase({
    run: (text, values) => call('run', text, values),
    async exec (text) { await call('exec', text) },
    async script (text) { await call('script', text) },
    onNotification (listener) { listeners.push(listener) },
    async close () {
      closing = true
      try {
        if (!failure) await call('close')
      } finally {
        await worker.terminate()
      }
    }
  })
  return { ...database, crashed }
}
