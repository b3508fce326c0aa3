/** Sends one request to the platform over pooled connections and reads the whole response. */
import { Pool } from 'undici'
import { parseRetryAfter } from '../../lib/http/retry-after.js'
import { USER_AGENT } from '../../config/server-info.js'
import { boundedResponse, isTimeoutError } from '../../lib/http/bounded-response.js'
import { PlatformUnavailable, PlatformProtocolError } from './errors.js'
import { PREFIX } from './operation.js'
import { errorCodeSuffix } from '../../lib/error-code.js'

export interface PlatformHttpOptions {
  url: string
  token?: string | undefined
  connections: number
}

interface PlatformHttpRequest {
  method: string
  /** Path and query, relative to /api/v1. */
  path: string
  body?: unknown
  /** Bytes that a response may have. */
  maxBytes: number
  timeoutMs: number
  signal?: AbortSignal | undefined
}

export interface PlatformHttpResponse { status: number, text: string, retryAfterMs: number | undefined }

const CONNECT_TIMEOUT_MS = 2000
const KEEP_ALIVE_MS = 30_000

/** Creates the client. `url` may have a path; redirects are not followed. */
export const platformHttpClient = ({ url, token, connections }: PlatformHttpOptions) => {
  const { origin, pathname } = new URL(url)
  const prefix = `${pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}${PREFIX}`
  const pool = new Pool(origin, {
    connections, connect: { timeout: CONNECT_TIMEOUT_MS }, keepAliveTimeout: KEEP_ALIVE_MS
  })
  const headers = {
    accept: 'application/json',
    'user-agent': USER_AGENT,
    ...token !== undefined && { authorization: `Bearer ${token}` }
  }

  const unavailable = (error: unknown, timeoutMs: number): PlatformUnavailable => isTimeoutError(error)
    ? new PlatformUnavailable(`The platform at ${origin} did not answer within ${timeoutMs} ms.`, 'transient')
    : new PlatformUnavailable(
      `The platform at ${origin} cannot be reached${errorCodeSuffix(error)}.`, 'transient', undefined, error)

  return {
    /**
     * Resolves with any HTTP status; `text` is empty unless it is 2xx.
     * @throws {PlatformUnavailable} `transient` when the platform cannot be reached or does not respond in time
     * @throws {PlatformProtocolError} when the response is longer than `maxBytes`
     * @throws the signal's reason when it was aborted
     */
    async send ({ method, path, body, ...limits }: PlatformHttpRequest): Promise<PlatformHttpResponse> {
      // The path is sent as it is: a URL would resolve `..` in it.
      const { status, headers: { 'retry-after': retryAfter }, text } = await boundedResponse((signal) => pool.request({
        method,
        path: `${prefix}${path}`,
        signal,
        headers: { ...headers, ...body !== undefined && { 'content-type': 'application/json' } },
        body: body === undefined ? null : JSON.stringify(body)
      }), limits).catch((error: unknown) => {
        limits.signal?.throwIfAborted()
        throw unavailable(error, limits.timeoutMs)
      })
      const retryAfterMs = parseRetryAfter(retryAfter, Date.now())
      if (status < 200 || status >= 300) return { status, text: '', retryAfterMs }
      if (text !== undefined) return { status, text, retryAfterMs }
      throw new PlatformProtocolError(
        `${method} ${path.split('?', 1)[0]} was answered with more than ${limits.maxBytes} bytes.`)
    },
    close: () => pool.destroy()
  }
}
