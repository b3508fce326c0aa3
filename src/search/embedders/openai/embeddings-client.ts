/** Calls an embedding service. Errors become `EmbedderUnavailable`, without the key or any text of the service. */
import { Agent, request } from 'undici'
import { USER_AGENT } from '../../../config/server-info.js'
import { EmbedderUnavailable, type UnavailableKind } from '../../embedder.js'
import { toUnitVector } from '../../vector.js'
import { parseJsonOrUndefined } from '../../../lib/json/json-depth.js'
import { parseRetryAfter } from '../../../lib/http/retry-after.js'
import { boundedResponse, isTimeoutError } from '../../../lib/http/bounded-response.js'
import { errorCodeSuffix } from '../../../lib/error-code.js'

export interface EmbeddingsService {
  url: URL
  model: string
  key?: string | undefined
  dimensions?: number | undefined
}

interface EmbeddingsRequest {
  /** The length that a vector must have, once it is known. */
  expected: number | undefined
  timeoutMs: number
  signal: AbortSignal | undefined
}

// Room for 16,000 numbers of 24 digits per text.
const BYTES_PER_TEXT = 400_000
const BYTES_BESIDE = 65_536
// The limit of a pgvector column.
const MAX_DIMENSIONS = 16_000

/** The URL of the embeddings operation, from a base URL with or without `/v1`, or from the full URL of a service. */
export function embeddingsUrl (base: string): URL {
  const url = new URL(base)
  const path = url.pathname.replace(/\/+$/, '')
  if (path.endsWith('/embeddings')) url.pathname = path
  else url.pathname = /\/v\d+$/.test(path) ? `${path}/embeddings` : `${path}/v1/embeddings`
  return url
}

/** Creates the client. A call rejects with `EmbedderUnavailable`, or with the signal's reason when it is aborted. */
export function embeddingsClient ({ url, model, key, dimensions }: EmbeddingsService) {
  const dispatcher = new Agent({ connections: 8 })
  const unavailable = (words: string, kind: UnavailableKind, retryAfterMs?: number) =>
    new EmbedderUnavailable(`The embedding service at ${url.origin} ${words}`, kind, retryAfterMs)

  const post = (texts: readonly string[], signal: AbortSignal) => request(url, {
    method: 'POST',
    dispatcher,
    signal,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': USER_AGENT,
      ...(key !== undefined && { authorization: `Bearer ${key}` })
    },
    body: JSON.stringify({ model, input: texts, encoding_format: 'float', dimensions })
  })

  return async (texts: readonly string[], { expected, timeoutMs, signal }: EmbeddingsRequest) => {
    const maxBytes = BYTES_BESIDE + texts.length * BYTES_PER_TEXT
    const { status, headers, text } = await boundedResponse(
      (bounded) => post(texts, bounded), { timeoutMs, maxBytes, signal }
    ).catch((error: unknown) => {
      signal?.throwIfAborted()
      throw unavailable(isTimeoutError(error)
        ? `did not answer within ${timeoutMs} ms`
        : `cannot be reached${errorCodeSuffix(error)}`, 'transient')
    })
    if (status < 200 || status >= 300) {
      throw unavailable(...describeStatus(status), parseRetryAfter(headers['retry-after'], Date.now()))
    }
    if (text === undefined) throw unavailable(`answered with more than ${maxBytes} bytes`, 'permanent')
    return readVectors(text, texts.length, expected, (words) => unavailable(`answered with ${words}`, 'permanent'))
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

/** The vectors in order, of length 1: all there once, of `expected` numbers if known; otherwise throws the `fault`. */
function readVectors (
  text: string, count: number, expected: number | undefined, fault: (words: string) => EmbedderUnavailable
): Float32Array[] {
  const data = field(parseJsonOrUndefined(text), 'data')
  if (!Array.isArray(data)) throw fault('something else than embeddings: check EMBEDDINGS_URL')
  if (data.length !== count) throw fault(`${data.length} vectors to ${count} texts`)
  const vectors = new Array<Float32Array>(count)
  let size = expected
  for (const [place, entry] of data.entries()) {
    // Not every service numbers its vectors.
    const index = field(entry, 'index') ?? place
    const numbers = field(entry, 'embedding')
    if (typeof index !== 'number' || !(index in data) || vectors[index]) {
      throw fault('vectors that cannot be told apart')
    }
    if (!isNumbers(numbers)) throw fault('a vector that is not made of numbers')
    size ??= Math.min(numbers.length, MAX_DIMENSIONS)
    if (numbers.length !== size) {
      throw fault(`a vector of ${numbers.length} numbers instead of ${size}: ` +
        'check EMBEDDINGS_MODEL and EMBEDDINGS_DIMENSIONS')
    }
    const vector = toUnitVector(numbers)
    if (!vector) throw fault('a vector that has no direction')
    vectors[index] = vector
  }
  return vectors
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number')
