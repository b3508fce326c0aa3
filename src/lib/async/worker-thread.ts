/** Calls a module in a worker thread, for computations that would block all requests. */
import { parentPort, Worker, type WorkerOptions } from 'node:worker_threads'
import { untilAborted } from './deadline.js'

export class WorkerEnded extends Error {
  constructor (reason: string, cause?: unknown) {
    super(`The worker thread ended by itself (${reason}).`, { cause })
    this.name = 'WorkerEnded'
  }
}

export interface WorkerThread<Request, Response> {
  /**
   * Resolves to the module's response; requests are answered in order. A request whose thread ends is sent to the next
   * one, once.
   * @throws {WorkerEnded} when the thread ended twice during the call, or is closed
   * @throws the reason of the signal when it is aborted, and an error with the name and message of the module's
   */
  call (request: Request, signal?: AbortSignal): Promise<Response>
  /** Ends the thread; later calls are refused. */
  close (): Promise<void>
}

export interface WorkerThreadOptions extends Pick<WorkerOptions, 'workerData' | 'resourceLimits'> {
  /** The thread ends after so many milliseconds without a call. */
  idleMs: number
  /** A call that takes longer ends the thread: it does not come back by itself. */
  callTimeoutMs: number
}

type Answer<Response> = { value: Response } | { error: { name: string, message: string } }
interface PendingCall<Response> { resolve (value: Response): void, reject (error: Error): void }
interface Running<Response> { worker: Worker, pending: Array<PendingCall<Response>> }

/** Starts the thread at the first call, and again after it ended. Without a call it keeps no process alive. */
export const workerThread = <Request, Response>(
  module: URL, { idleMs, callTimeoutMs, ...options }: WorkerThreadOptions
): WorkerThread<Request, Response> => {
  let running: Running<Response> | undefined
  let idle: NodeJS.Timeout | undefined
  let closed = false

  const end = async (thread: Running<Response>, error: Error): Promise<void> => {
    if (running === thread) running = undefined
    for (const { reject } of thread.pending.splice(0)) reject(error)
    await thread.worker.terminate()
  }

  const start = (): Running<Response> => {
    const thread: Running<Response> = { worker: new Worker(module, options), pending: [] }
    const onEnd = (reason: string, cause?: unknown): void => {
      end(thread, new WorkerEnded(reason, cause)).catch(() => {})
    }
    thread.worker.on('message', (answer: Answer<Response>) => {
      const call = thread.pending.shift()
      if ('value' in answer) call?.resolve(answer.value)
      else call?.reject(Object.assign(new Error(answer.error.message), { name: answer.error.name }))
      if (thread.pending.length > 0) return
      thread.worker.unref()
      idle = setTimeout(() => onEnd('idle'), idleMs).unref()
    })
    thread.worker.once('error', (error: Error) => onEnd(error.message, error))
    thread.worker.once('messageerror', (error) => onEnd(error.message, error))
    thread.worker.once('exit', (code) => onEnd(`exit code ${code}`))
    return thread
  }

  const send = async (request: Request): Promise<Response> => {
    if (closed) throw new WorkerEnded('the server is closing')
    clearTimeout(idle)
    const thread = running ??= start()
    const timer = setTimeout(() => {
      end(thread, new WorkerEnded(`a call took more than ${callTimeoutMs} ms`)).catch(() => {})
    }, callTimeoutMs)
    try {
      return await new Promise((resolve, reject) => {
        thread.pending.push({ resolve, reject })
        thread.worker.ref()
        thread.worker.postMessage(request)
      })
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async call (request, signal) {
      signal?.throwIfAborted()
      const answer = send(request).catch((error: unknown) => {
        if (error instanceof WorkerEnded && !closed) return send(request)
        throw error
      })
      return await (signal ? untilAborted(answer, signal) : answer)
    },

    async close () {
      closed = true
      clearTimeout(idle)
      if (running) await end(running, new WorkerEnded('the server is closing'))
    }
  }
}

/** Serves the calls of a worker thread, in the module that it runs: what `answer` throws is thrown by the call. */
export const serveWorker = <Request, Response>(answer: (request: Request) => Promise<Response>): void => {
  const port = parentPort
  if (!port) return
  const serve = async (request: Request): Promise<void> => {
    try {
      port.postMessage({ value: await answer(request) } satisfies Answer<Response>)
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error))
      port.postMessage({ error: { name, message } } satisfies Answer<Response>)
    }
  }
  let served = Promise.resolve()
  port.on('message', (request: Request) => { served = served.then(() => serve(request)) })
}
