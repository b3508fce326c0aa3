/** Vectors of any service that speaks OpenAI's `POST /v1/embeddings`. */
import { createHash } from 'node:crypto'
import { EmbedderUnavailable } from '../../embedder.js'
import type { Embedder } from '../../embedder.js'
import { clip, joinParts } from '../../join-parts.js'
import { embeddingsClient } from './embeddings-client.js'
import type { EmbeddingsService } from './embeddings-client.js'
import { batches } from './batches.js'
import { embeddingsUrl } from './endpoint.js'
import { createCircuitBreaker, withRetry } from './retry.js'
import type { RetryOptions } from './retry.js'

export interface OpenaiOptions extends Omit<EmbeddingsService, 'url'> {
  url: string
  queryPrefix: string
  documentPrefix: string
  /** Characters of a text that are sent. */
  window: number
  /** Texts in one request. */
  batch: number
  queryTimeoutMs: number
}

export interface Timing extends RetryOptions {
  documentTimeoutMs: number
  /** How long queries leave a service alone that failed. */
  restMs: number
}

// Whoever embeds documents comes again later by itself.
const TIMING: Timing = { documentTimeoutMs: 30_000, attempts: 3, totalMs: 60_000, pauseMs: 1000, restMs: 10_000 }
const CHARACTERS_PER_REQUEST = 200_000
// A text that is refused is sent again by half down to this length.
const SHORT = 500

export function openaiEmbedder (settings: OpenaiOptions, timing: Timing = TIMING): Embedder {
  const { model, window, batch, queryTimeoutMs } = settings
  const url = embeddingsUrl(settings.url)
  const ask = embeddingsClient({ ...settings, url })
  const unlessBroken = createCircuitBreaker(timing.restMs)
  const identity = [url.href, model, settings.dimensions, window, settings.queryPrefix, settings.documentPrefix]
  const version = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16)
  let learnt: number | undefined

  async function vectors (
    texts: readonly string[], timeoutMs: number, signal: AbortSignal | undefined
  ): Promise<Float32Array[]> {
    const answer = await ask(texts, { expected: settings.dimensions ?? learnt, timeoutMs, signal })
    learnt = answer[0]?.length
    return answer
  }

  /** Undefined for a text that the service takes at no length, though it takes others. */
  async function documents (
    texts: readonly string[], signal: AbortSignal | undefined
  ): Promise<Array<Float32Array | undefined>> {
    try {
      return await withRetry(() => vectors(texts, timing.documentTimeoutMs, signal), timing, signal)
    } catch (error) {
      const [first = '', ...rest] = texts
      if (!(error instanceof EmbedderUnavailable) || error.kind !== 'input') throw error
      if (rest.length > 0) {
        const half = Math.ceil(texts.length / 2)
        return [...await documents(texts.slice(0, half), signal), ...await documents(texts.slice(half), signal)]
      }
      if (first.length > SHORT) return documents([clip(first, Math.ceil(first.length / 2))], signal)
      if (learnt === undefined) throw error
      return [undefined]
    }
  }

  return {
    id: `openai:${model}`,
    version,
    get dimensions () { return settings.dimensions ?? learnt },
    window,
    async embed (texts, { kind, signal }) {
      // Somebody waits for the answer to one question; many are no search.
      const urgent = kind === 'query' && texts.length === 1
      const prefix = kind === 'query' ? settings.queryPrefix : settings.documentPrefix
      const worded = texts.map((text) => joinParts(text, { prefix, window }))
      const found: Array<Float32Array | undefined> = []
      for (const some of batches(worded.filter((text) => text !== ''), { count: batch, characters: CHARACTERS_PER_REQUEST })) {
        found.push(...urgent ? await unlessBroken(() => vectors(some, queryTimeoutMs, signal)) : await documents(some, signal))
      }
      const inOrder = found.values()
      const nothing = () => new Float32Array(settings.dimensions ?? learnt ?? 0)
      return worded.map((text) => (text === '' ? undefined : inOrder.next().value) ?? nothing())
    }
  }
}
