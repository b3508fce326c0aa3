/** Lets a thread read much text, so that others get their turn and two processors share the work; it ends when there is no more. */
import type { Embedder, EmbeddingText } from '../../embedder.js'
import { thread } from '../../worker-thread.js'
import type { BuiltinOptions } from './open-word-vectors.js'

// Less is read in a few milliseconds.
const MUCH_CHARACTERS = 50_000
// The thread has the vectors of all words as well: a hundred megabytes.
const IDLE_MS = 5000

export function readAside (embedder: Embedder, options: BuiltinOptions): Embedder {
  const read = thread<readonly EmbeddingText[], Float32Array>(new URL('embedding-worker.js', import.meta.url), { workerData: options, idleMs: IDLE_MS })
  let broken = false
  return {
    ...embedder,
    prepare () {
      read([]).catch(() => { broken = true })
    },
    async embed (texts, given) {
      if (broken || given.kind === 'query' || charactersOf(texts) < MUCH_CHARACTERS) return await embedder.embed(texts, given)
      const vectors = await read(texts).catch(() => { broken = true })
      given.signal?.throwIfAborted()
      if (!vectors) return await embedder.embed(texts, given)
      const dimensions = vectors.length / texts.length
      return texts.map((_, place) => vectors.subarray(place * dimensions, (place + 1) * dimensions))
    }
  }
}

const charactersOf = (texts: readonly EmbeddingText[]): number =>
  texts.reduce((sum, { parts }) => parts.reduce((characters, { text }) => characters + text.length, sum), 0)
