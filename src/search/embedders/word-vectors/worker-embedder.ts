/**
 * Lets a thread read much text, so that others get their turn and two processors share the work; it ends when there
 * is no more.
 */
import type { Embedder, EmbeddingText } from '../../embedder.js'
import { workerThread } from '../../worker-thread.js'
import type { WordVectorOptions } from './open-word-vectors.js'

// Less is read in a few milliseconds.
const MUCH_CHARACTERS = 50_000
// The thread has the vectors of all words as well: a hundred megabytes.
const IDLE_MS = 5000

export function workerEmbedder (embedder: Embedder, options: WordVectorOptions): Embedder {
  const read = workerThread<readonly EmbeddingText[], Float32Array>(new URL('embedding-worker.js', import.meta.url), {
    workerData: options, idleMs: IDLE_MS
  })
  let broken = false
  return {
    ...embedder,
    prepare () {
      read([]).catch(() => { broken = true })
    },
    async embed (texts, options) {
      if (broken || options.kind === 'query' || charactersOf(texts) < MUCH_CHARACTERS) return await embedder.embed(texts, options)
      const vectors = await read(texts).catch(() => { broken = true })
      options.signal?.throwIfAborted()
      if (!vectors) return await embedder.embed(texts, options)
      const dimensions = vectors.length / texts.length
      return texts.map((_, place) => vectors.subarray(place * dimensions, (place + 1) * dimensions))
    }
  }
}

const charactersOf = (texts: readonly EmbeddingText[]): number =>
  texts.reduce((sum, { parts }) => parts.reduce((characters, { text }) => characters + text.length, sum), 0)
