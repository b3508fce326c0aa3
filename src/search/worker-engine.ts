/** The engine of search that works in the search worker. */
import { WorkerEnded, workerThread } from '../lib/async/worker-thread.js'
import { EmbedderUnavailable, type EmbeddingText } from './embedder.js'
import type { WordVectorOptions } from './embedders/word-vectors/open-word-vectors.js'
import type { SearchEngine } from './search-engine.js'
import type { SearchWorkerRequest } from './search-worker.js'

export interface WorkerEngine extends SearchEngine {
  /** Ends the worker; later calls are refused. */
  close (): Promise<void>
}

/** It holds 45 MB and starts in a fifth of a second. An agent that connects starts it before its first search. */
const IDLE_MS = 45_000
/** Some long texts take seconds on a busy machine. */
const CALL_TIMEOUT_MS = 60_000
/** Little lives longer than a request: with more room for young objects the worker takes more memory. */
const MAX_YOUNG_GENERATION_MB = 16
/** A search waits for one call that embeds documents at most. */
const CHARACTERS_PER_CALL = 20_000

/** The worker is started by the first call; `embed` throws `EmbedderUnavailable` when it ended by itself. */
export const createWorkerEngine = (
  words: WordVectorOptions, module = new URL('search-worker.js', import.meta.url)
): WorkerEngine => {
  const worker = workerThread<SearchWorkerRequest, unknown>(module, {
    workerData: words,
    idleMs: IDLE_MS,
    callTimeoutMs: CALL_TIMEOUT_MS,
    resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_MB }
  })
  return {
    async embed (texts, { kind, signal }) {
      const vectors: Float32Array[] = []
      for (const some of portionsOf(texts)) {
        const answer = await worker.call({ texts: some, kind }, signal).catch((error: unknown) => {
          throw error instanceof WorkerEnded ? new EmbedderUnavailable('The search worker ended by itself') : error
        })
        vectors.push(...answer as Float32Array[])
      }
      return vectors
    },

    explain: async (explain, signal) => await worker.call({ explain }, signal) as Map<string, string>,

    close: () => worker.close()
  }
}

/** At least one portion, which may be empty: it has the word vectors opened. */
const portionsOf = (texts: readonly EmbeddingText[]): EmbeddingText[][] => {
  const portions: EmbeddingText[][] = [[]]
  let characters = 0
  for (const text of texts) {
    if (characters > CHARACTERS_PER_CALL) {
      portions.push([])
      characters = 0
    }
    portions.at(-1)?.push(text)
    characters += text.parts.reduce((sum, part) => sum + part.text.length, 0)
  }
  return portions
}
