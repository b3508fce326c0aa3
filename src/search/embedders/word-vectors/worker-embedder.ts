/** Moves the embedding of long texts to a worker thread, which ends when it is idle. */
import type { Embedder, EmbeddingText } from '../../embedder.js'
import { workerThread } from '../../worker-thread.js'
import type { WordVectorOptions } from './open-word-vectors.js'

// Shorter texts take a few milliseconds.
const MUCH_CHARACTERS = 50_000
// The thread has its own copy of the vectors: 100 MB.
const IDLE_MS = 5000

/** The same embedder. When the thread fails, texts are embedded in this one. */
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
      if (broken || options.kind === 'query' || charactersOf(texts) < MUCH_CHARACTERS) {
        return await embedder.embed(texts, options)
      }
      const vectors = await read(texts).catch(() => { broken = true })
      options.signal?.throwIfAborted()
      if (!vectors) return await embedder.embed(texts, options)
      const dimensions = vectors.length / texts.length
      return texts.map((_, index) => vectors.subarray(index * dimensions, (index + 1) * dimensions))
    }
  }
}

const charactersOf = (texts: readonly EmbeddingText[]): number =>
  texts.reduce((sum, { parts }) => parts.reduce((characters, { text }) => characters + text.length, sum), 0)
