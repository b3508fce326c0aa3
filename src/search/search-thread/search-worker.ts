/** The thread of search. It owns the word vectors, the thesaurus, and what is remembered of explorations. */
import { parentPort, workerData } from 'node:worker_threads'
import { RankerLost, type RankerMemory } from '../../db/search-memory/ranker.js'
import { openWordVectors, type WordVectorOptions } from '../embedders/word-vectors/open-word-vectors.js'
import { createSearchEngine } from '../search-engine.js'
import { lowerThreadPriority } from './lower-priority.js'
import type { ThreadAnswer, ThreadMessage } from './thread-calls.js'

type Call = Exclude<ThreadMessage, { cancel: number }>

if (parentPort) {
  const port = parentPort
  lowerThreadPriority()
  const options: WordVectorOptions = workerData
  const engine = createSearchEngine(() => openWordVectors(options))
  let begun = 0
  let latest: RankerMemory | undefined

  const memoryOf = ({ memory }: { memory: number }): RankerMemory => {
    if (!latest || memory !== begun) throw new RankerLost()
    return latest
  }

  const answer = async (call: Call, signal: AbortSignal): Promise<unknown> => {
    switch (call.name) {
      case 'embed': return await engine.embed(call.question.texts, { kind: call.question.kind, signal })
      case 'explain': return await engine.explain(call.question, { signal })
      case 'begin': {
        latest = await engine.begin()
        return ++begun
      }
      case 'apply': return await memoryOf(call.question).apply(call.question)
      case 'rank': return await memoryOf(call.question).rank(call.question.request, { signal })
      case 'explainRanked': return await memoryOf(call.question).explain(call.question, { signal })
    }
  }

  /** Vectors are moved, not copied. */
  const buffersOf = (answer: ThreadAnswer): ArrayBuffer[] => 'value' in answer && Array.isArray(answer.value)
    ? answer.value.flatMap((item) =>
      item instanceof Float32Array && item.buffer instanceof ArrayBuffer ? [item.buffer] : [])
    : []

  const cancelling = new Map<number, AbortController>()
  const serve = async (call: Call): Promise<ThreadAnswer> => {
    const { id } = call
    const { signal } = cancelling.get(id) ?? new AbortController()
    try {
      signal.throwIfAborted()
      return { id, value: await answer(call, signal) }
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error))
      return error instanceof RankerLost ? { id, lost: true } : { id, error: { name, message } }
    } finally {
      cancelling.delete(id)
    }
  }

  port.on('message', (message: ThreadMessage) => {
    if ('cancel' in message) {
      cancelling.get(message.cancel)?.abort()
      return
    }
    cancelling.set(message.id, new AbortController())
    serve(message)
      .then((answer) => { port.postMessage(answer, buffersOf(answer)) })
      .catch((error: unknown) => { setImmediate(() => { throw error }) })
  })
}
