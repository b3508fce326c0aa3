/** Calls an embedding service. Errors become `EmbedderUnavailable`, without the key or any text of the service. */
import { Agent, request } from 'undici'
import { SERVER } from '../../../server-info.js'
import { EmbedderUnavailable } from '../../embedder.js'
import type { UnavailableKind } from '../../embedder.js'
import { readVectors } from './read-vectors.js'
import { parseRetryAfter } from '../../../lib/retry-after.js'
import { readTextLimited } from '../../../lib/read-limited.js'
import { errorCodeSuffix } from '../../../lib/error-code.js'

export interface EmbeddingsService {
  url: URL
  model: string
  key?: string | undefined
  /** The length of a vector to request. */
  dimensions?: number | undefined
}

export interface EmbeddingsRequest {
  /** The length that a vector must have, once it is known. */
  expected: number | undefined
  timeoutMs: number
  signal: AbortSignal | undefined
}

export type EmbeddingsClient = (texts: readonly string[], request: EmbeddingsRequest) => Promise<Float32Array[]>

// Room for 16,000 numbers of 24 digits per text.
const BYTES_PER_TEXT = 400_000
const BYTES_BESIDE = 65_536

/** Creates the client. A call rejects with `EmbedderUnavailable`, or with the signal's reason when it is aborted. */
export function embeddingsClient ({ url, model, key, dimensions }: EmbeddingsService): EmbeddingsClient {
  const dispatcher = new Agent({ connections: 8 })
  const unavailable = (words: string, kind: UnavailableKind, retryAfterMs?: number) =>
    new EmbedderUnavailable(`The embedding service at ${url.origin} ${words}`, kind, retryAfterMs)

  async function post (texts: readonly string[], signal: AbortSignal): Promise<string> {
    const { statusCode, headers, body } = await request(url, {
      method: 'POST',
      dispatcher,
      signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': `${SERVER.name}/${SERVER.version}`,
        ...(key !== undefined && { authorization: `Bearer ${key}` })
      },
      body: JSON.stringify({ model, input: texts, encoding_format: 'float', dimensions })
    })
    if (statusCode < 200 || statusCode >= 300) {
      await body.dump({ limit: BYTES_BESIDE, signal }).catch(() => undefined)
      throw unavailable(...describeStatus(statusCode), parseRetryAfter(headers['retry-after'], Date.now()))
    }
    const maxBytes = BYTES_BESIDE + texts.length * BYTES_PER_TEXT
    const text = await readTextLimited(body, maxBytes)
    if (text === undefined) throw unavailable(`answered with more than ${maxBytes} bytes`, 'permanent')
    return text
  }

  return async (texts, { expected, timeoutMs, signal }) => {
    const limit = AbortSignal.timeout(timeoutMs)
    try {
      const answer = await post(texts, signal ? AbortSignal.any([signal, limit]) : limit)
      const read = readVectors(answer, texts.length, expected)
      if (!read.ok) throw unavailable(read.fault, 'permanent')
      return read.vectors
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof EmbedderUnavailable) throw error
      if (limit.aborted) throw unavailable(`did not answer within ${timeoutMs} ms`, 'transient')
      throw unavailable(`cannot be reached${errorCodeSuffix(error)}`, 'transient')
    }
  }
}

/** A redirect is an error, because following it would send the key elsewhere. */
function describeStatus (status: number): [words: string, kind: UnavailableKind] {
  const words = `answered ${status}`
  if (status === 429) return [`${words}: too many requests`, 'transient']
  if (status >= 500 || status === 408 || status === 425) return [words, 'transient']
  if (status === 401 || status === 403) return [`${words}: check EMBEDDINGS_KEY`, 'permanent']
  if (status === 404 || status === 405) return [`${words}: check EMBEDDINGS_URL and EMBEDDINGS_MODEL`, 'permanent']
  if (status === 400 || status === 413 || status === 422) {
    return [`${words}: check EMBEDDINGS_MODEL, EMBEDDINGS_DIMENSIONS and EMBEDDINGS_WINDOW`, 'input']
  }
  if (status >= 300 && status < 400) {
    return [`${words}, a redirect, which is not followed: check EMBEDDINGS_URL`, 'permanent']
  }
  return [words, 'permanent']
}
