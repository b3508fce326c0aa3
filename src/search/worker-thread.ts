/** Calls a module in a worker thread, for computations that would block all requests. */
import { Worker } from 'node:worker_threads'

/** Resolves to one answer per question, in order. Rejects when the thread ends before it has answered. */
export type WorkerThread<Question, Answer> = (question: Question) => Promise<Answer>

export interface WorkerThreadOptions {
  workerData: unknown
  /** The thread ends after this many idle milliseconds. */
  idleMs?: number
}

interface PendingCall<Answer> { resolve (answer: Answer): void, reject (error: Error): void }

/** Starts the thread at the first question, and again after it ended. It keeps no process alive. */
export function workerThread<Question, Answer> (
  module: URL, { workerData, idleMs }: WorkerThreadOptions
): WorkerThread<Question, Answer> {
  let running: { worker: Worker, pending: PendingCall<Answer>[] } | undefined
  let idle: NodeJS.Timeout | undefined

  const start = (): NonNullable<typeof running> => {
    const pending: PendingCall<Answer>[] = []
    const thread = { worker: new Worker(module, { workerData }), pending }
    const { worker } = thread
    let fault = new Error('its thread ended')
    worker.on('message', (answer: Answer) => {
      pending.shift()?.resolve(answer)
      if (pending.length > 0) return
      worker.unref()
      if (idleMs !== undefined) idle = setTimeout(() => end(thread), idleMs).unref()
    })
    worker.once('error', (error: Error) => { fault = error })
    worker.once('exit', () => {
      end(thread)
      for (const { reject } of pending.splice(0)) reject(fault)
    })
    return thread
  }

  const end = (thread: typeof running): void => {
    if (running === thread) running = undefined
    thread?.worker.terminate().catch(() => {})
  }

  return async (question) => await new Promise((resolve, reject) => {
    running ??= start()
    clearTimeout(idle)
    running.pending.push({ resolve, reject })
    running.worker.ref()
    running.worker.postMessage(question)
  })
}
