/** The embedder of any service with OpenAI's `POST /v1/embeddings`. */
import { createHash } from 'node:crypto'
import { EmbedderUnavailable, type Embedder, type EmbeddingText } from '../../embedder.js'
import { embeddingsClient, embeddingsUrl, type EmbeddingsService } from './embeddings-client.js'
import { createCircuitBreaker, withRetry, type RetryOptions } from './retry.js'

export interface OpenaiOptions extends Omit<EmbeddingsService, 'url'> {
  url: string
  queryPrefix: string
  documentPrefix: string
  /** Characters of a text that are sent. */
  window: number
  /** Texts in one request. The default is what services take that take few; a service that takes fewer gets halves. */
  batch?: number
  /** How long a search waits before it ranks by words alone; 1500 by default. */
  queryTimeoutMs?: number
}

export interface Timing extends RetryOptions {
  documentTimeoutMs: number
  /** How long queries skip a service that failed, in milliseconds. */
  restMs: number
}

// Documents are retried later by the indexer.
const TIMING: Timing = { documentTimeoutMs: 30_000, attempts: 3, totalMs: 60_000, pauseMs: 1000, restMs: 10_000 }
const CHARACTERS_PER_REQUEST = 200_000
// A refused text is halved and sent again, down to this length.
const SHORT = 500

/** Creates the embedder; it does not call the service yet. Queries have a short timeout, documents are retried. */
export function openaiEmbedder (settings: OpenaiOptions, timing: Timing = TIMING): Embedder {
  const { model, window, batch = 32, queryTimeoutMs = 1500 } = settings
  const url = embeddingsUrl(settings.url)
  const ask = embeddingsClient({ ...settings, url })
  const unlessBroken = createCircuitBreaker(timing.restMs)
  const identity = [url.href, model, settings.dimensions, window, settings.queryPrefix, settings.documentPrefix]
  const version = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16)
  let knownDimensions: number | undefined

  async function vectors (
    texts: readonly string[], timeoutMs: number, signal: AbortSignal | undefined
  ): Promise<Float32Array[]> {
    const answer = await ask(texts, { expected: settings.dimensions ?? knownDimensions, timeoutMs, signal })
    knownDimensions = answer[0]?.length
    return answer
  }

  /** Undefined for a text that the service refuses at any length. */
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
      if (knownDimensions === undefined) throw error
      return [undefined]
    }
  }

  return {
    id: `openai:${model}`,
    version,
    get dimensions () { return settings.dimensions ?? knownDimensions },
    window,
    async embed (texts, { kind, signal }) {
      // Only a single query has someone waiting for it.
      const urgent = kind === 'query' && texts.length === 1
      const prefix = kind === 'query' ? settings.queryPrefix : settings.documentPrefix
      const inputs = texts.map((text) => joinParts(text, prefix, window))
      const embeddings: Array<Float32Array | undefined> = []
      const nonEmpty = inputs.filter((text) => text !== '')
      for (const some of batches(nonEmpty, { count: batch, characters: CHARACTERS_PER_REQUEST })) {
        const part = urgent
          ? await unlessBroken(() => vectors(some, queryTimeoutMs, signal))
          : await documents(some, signal)
        embeddings.push(...part)
      }
      const inOrder = embeddings.values()
      const nothing = () => new Float32Array(settings.dimensions ?? knownDimensions ?? 0)
      return inputs.map((text) => (text === '' ? undefined : inOrder.next().value) ?? nothing())
    }
  }
}

function * batches (
  texts: readonly string[], { count, characters }: { count: number, characters: number }
): Generator<string[]> {
  let batch: string[] = []
  let available = characters
  for (const text of texts) {
    if (batch.length > 0 && (batch.length === count || text.length > available)) {
      yield batch
      batch = []
      available = characters
    }
    batch.push(text)
    available -= text.length
  }
  if (batch.length > 0) yield batch
}

/** Joins the parts, each once; empty for a text without words. Weights mean nothing to such models. */
const joinParts = ({ parts }: EmbeddingText, prefix: string, window: number): string => {
  const texts = parts.map(({ text }) => text.trim()).filter((text) => text !== '')
  const whole = [...new Set(texts)].join('\n\n')
  return whole === '' ? '' : prefix + clip(whole, window)
}

/** Cuts a text. Half of a surrogate pair is replaced, because tokenizers reject it. */
export const clip = (text: string, length: number): string => text.slice(0, length).replace(/\p{Surrogate}/gu, '\uFFFD')
