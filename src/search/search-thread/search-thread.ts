/**
 * Calls the thread of search: starts it at the first call, ends it when nobody has searched for a while, and starts it
 * again after it ended by itself.
 */
import { Worker } from 'node:worker_threads'
import { RankerLost } from '../../db/search-memory/ranker.js'
import type { WordVectorOptions } from '../embedders/word-vectors/open-word-vectors.js'
import {
  isIndexing, type CallName, type ThreadAnswer, type ThreadCalls, type ThreadMessage
} from './thread-calls.js'

/** The thread ended before it answered. */
export class SearchThreadEnded extends Error {
  constructor (reason: string, cause?: unknown) {
    super(`The thread of search ended by itself (${reason}).`, { cause })
    this.name = 'SearchThreadEnded'
  }
}

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** The thread that the call is for; without it any will do. */
  generation?: number | undefined
}

export interface SearchThread {
  /** How many threads were started; the last one is running, or has ended. */
  readonly generation: number
  /**
   * Rejects with `SearchThreadEnded` when the thread ended twice during the call, and with `RankerLost` when it is not
   * the thread of `generation` any more.
   */
  call<Name extends CallName> (
    name: Name, question: ThreadCalls[Name]['question'], options?: CallOptions
  ): Promise<ThreadCalls[Name]['answer']>
  /** Ends the thread; later calls are refused. */
  close (): Promise<void>
}

export interface SearchThreadOptions extends WordVectorOptions {
  /** The thread ends after so many milliseconds without a call. */
  idleMs?: number
  /** The same for a thread that nobody has searched with: it embedded documents, as when data are imported. */
  indexingIdleMs?: number
  /** A thread that answers no call for so long is ended: it does not come back by itself. */
  callTimeoutMs?: number
  /** The module that the thread runs. */
  module?: URL
}

const IDLE_MS = 10 * 60_000
/** Longer than between two batches of an import. */
const INDEXING_IDLE_MS = 10_000
/** A batch of long texts takes seconds on a busy machine. */
const CALL_TIMEOUT_MS = 60_000
/** What lives longer than a question is little: with more room for young objects the thread takes more memory. */
const MAX_YOUNG_GENERATION_MB = 16

interface PendingCall { resolve (value: unknown): void, reject (error: Error): void }
interface Running {
  worker: Worker
  generation: number
  pending: Map<number, PendingCall>
  /** A call was about a question of somebody, who may have another. */
  searched: boolean
}

/** Creates the calls; no thread is started yet. A thread that nobody waits for keeps no process alive. */
export const createSearchThread = ({
  thesaurusFile, idleMs = IDLE_MS, indexingIdleMs = INDEXING_IDLE_MS, callTimeoutMs = CALL_TIMEOUT_MS,
  module = new URL('search-worker.js', import.meta.url)
}: SearchThreadOptions = {}): SearchThread => {
  let running: Running | undefined
  let generation = 0
  let lastId = 0
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const end = async (ended: Running, error: Error): Promise<void> => {
    if (running === ended) running = undefined
    for (const { reject } of ended.pending.values()) reject(error)
    ended.pending.clear()
    await ended.worker.terminate()
  }

  const settle = ({ pending }: Running, answer: ThreadAnswer): void => {
    const call = pending.get(answer.id)
    pending.delete(answer.id)
    if ('error' in answer) call?.reject(Object.assign(new Error(answer.error.message), { name: answer.error.name }))
    else if ('lost' in answer) call?.reject(new RankerLost())
    else call?.resolve(answer.value)
  }

  const start = (): Running => {
    const worker = new Worker(module, {
      workerData: { thesaurusFile } satisfies WordVectorOptions,
      resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_MB }
    })
    const started: Running = { worker, generation: ++generation, pending: new Map(), searched: false }
    const onEnd = (reason: string, cause?: unknown): void => {
      end(started, new SearchThreadEnded(reason, cause)).catch(() => {})
    }
    worker.on('message', (answer: ThreadAnswer) => {
      settle(started, answer)
      watch(started)
    })
    worker.once('error', (error: unknown) => onEnd(error instanceof Error ? error.message : String(error), error))
    worker.once('messageerror', (error) => onEnd(error.message, error))
    worker.once('exit', (code) => onEnd(`exit code ${code}`))
    return started
  }

  /** Ends a thread that from now on is not asked for long, or does not answer for long. */
  const watch = (thread: Running): void => {
    const waits = thread.pending.size > 0
    const reason = waits ? `a call took more than ${callTimeoutMs} ms` : 'idle'
    clearTimeout(timer)
    timer = setTimeout(
      () => { end(thread, new SearchThreadEnded(reason)).catch(() => {}) },
      waits ? callTimeoutMs : thread.searched ? idleMs : indexingIdleMs)
    if (waits) return
    thread.worker.unref()
    timer.unref()
  }

  const ask = async <Name extends CallName>(
    name: Name, question: ThreadCalls[Name]['question'], { signal, generation: wanted }: CallOptions
  ): Promise<ThreadCalls[Name]['answer']> => {
    signal?.throwIfAborted()
    if (closed) throw new SearchThreadEnded('the server is closing')
    if (wanted !== undefined && running?.generation !== wanted) throw new RankerLost()
    const thread = running ??= start()
    thread.searched ||= !isIndexing(name, question)
    const id = ++lastId
    const cancel = (): void => {
      thread.worker.postMessage({ cancel: id } satisfies ThreadMessage)
      thread.pending.get(id)?.reject(signal?.reason)
    }
    try {
      return await new Promise<unknown>((resolve, reject) => {
        thread.pending.set(id, { resolve, reject })
        if (thread.pending.size === 1) watch(thread)
        thread.worker.ref()
        signal?.addEventListener('abort', cancel, { once: true })
        thread.worker.postMessage({ id, name, question })
      }) as ThreadCalls[Name]['answer']
    } finally {
      signal?.removeEventListener('abort', cancel)
      // An aborted call was not answered, and may have been the last.
      if (thread.pending.delete(id) && thread.pending.size === 0 && thread === running) watch(thread)
    }
  }

  return {
    get generation () {
      return generation
    },

    async call (name, question, options = {}) {
      const again = (error: unknown): boolean =>
        error instanceof SearchThreadEnded && options.generation === undefined && !closed
      return await ask(name, question, options).catch((error: unknown) => {
        if (again(error)) return ask(name, question, options)
        throw error instanceof SearchThreadEnded && options.generation !== undefined ? new RankerLost() : error
      })
    },

    async close () {
      closed = true
      clearTimeout(timer)
      if (running) await end(running, new SearchThreadEnded('the server is closing'))
    }
  }
}
