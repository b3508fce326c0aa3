/** Sends an HTTP request and reads the whole response, bounded in time and in size. */
import type { Dispatcher } from 'undici'

export interface ResponseLimits {
  /** Milliseconds until the whole response has been read. */
  timeoutMs: number
  maxBytes: number
  signal?: AbortSignal | undefined
}

export interface BoundedResponse {
  status: number
  headers: Dispatcher.ResponseData['headers']
  /** Undefined when the body is longer than allowed, or when the body of an error response broke off. */
  text: string | undefined
  /** When the headers arrived, in milliseconds since the epoch. */
  at: number
  /** How long that took, in milliseconds. */
  ms: number
}

// The body of an error response is read, so that its connection can be used again. Pages of proxies are short.
const MAX_ERROR_BYTES = 65_536

/**
 * Sends by `send`, which gets the signal for the request. Resolves with any status.
 * @throws the reason of `signal` when it was aborted; a `TimeoutError` when the time is over; else undici's error
 */
export const boundedResponse = async (
  send: (signal: AbortSignal) => Promise<Dispatcher.ResponseData>, { timeoutMs, maxBytes, signal }: ResponseLimits
): Promise<BoundedResponse> => {
  const timeout = AbortSignal.timeout(timeoutMs)
  const began = performance.now()
  try {
    const { statusCode: status, headers, body } = await send(signal ? AbortSignal.any([signal, timeout]) : timeout)
    const head = { status, headers, at: Date.now(), ms: Math.round(performance.now() - began) }
    const text = status >= 200 && status < 300
      ? await readTextLimited(body, maxBytes)
      : await readTextLimited(body, Math.min(maxBytes, MAX_ERROR_BYTES)).catch(() => undefined)
    return { ...head, text }
  } catch (error) {
    signal?.throwIfAborted()
    timeout.throwIfAborted()
    throw error
  }
}

export const isTimeoutError = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'

export const readTextLimited = async (
  body: AsyncIterable<Uint8Array>, maxBytes: number
): Promise<string | undefined> => (await readLimited(body, maxBytes))?.toString()

/** Undefined when the body has more than `maxBytes` bytes; the rest is then left unread. */
export const readLimited = async (
  body: AsyncIterable<Uint8Array>, maxBytes: number
): Promise<Buffer | undefined> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
