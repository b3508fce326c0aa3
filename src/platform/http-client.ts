/**
 * Sends one request to the platform over pooled connections and reads the whole response. Connection errors become
 * `PlatformUnavailable`.
 */
import { Pool } from 'undici'
import { parseRetryAfter } from '../lib/retry-after.js'
import { SERVER } from '../server-info.js'
import { readTextLimited } from '../lib/read-limited.js'
import { PlatformUnavailable, PlatformProtocolError } from './errors.js'
import { PREFIX } from './operation.js'
import { errorCodeSuffix } from '../lib/error-code.js'

export interface PlatformHttpOptions {
  url: string
  token?: string | undefined
  connections: number
}

export interface PlatformHttpRequest {
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

export interface PlatformHttpClient {
  /**
   * Resolves with any HTTP status; `text` is empty unless it is 2xx.
   * @throws {PlatformUnavailable} `transient` when the platform cannot be reached or does not respond in time
   * @throws {PlatformProtocolError} when the response is longer than `maxBytes`
   * @throws the signal's reason when it was aborted
   */
  send (sent: PlatformHttpRequest): Promise<PlatformHttpResponse>
  close (): Promise<void>
}

const CONNECT_TIMEOUT_MS = 2000
const KEEP_ALIVE_MS = 30_000
// Error responses are read up to this size, so that their connection can be reused.
const ERROR_BYTES = 65_536

/** Creates the client. `url` may have a path; redirects are not followed. */
export const platformHttpClient = ({ url, token, connections }: PlatformHttpOptions): PlatformHttpClient => {
  const { origin, pathname } = new URL(url)
  const prefix = `${pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}${PREFIX}`
  const pool = new Pool(origin, {
    connections, connect: { timeout: CONNECT_TIMEOUT_MS }, keepAliveTimeout: KEEP_ALIVE_MS
  })
  const headers = {
    accept: 'application/json',
    'user-agent': `${SERVER.name}/${SERVER.version}`,
    ...token !== undefined && { authorization: `Bearer ${token}` }
  }

  const run = async (
    { method, path, body, maxBytes }: PlatformHttpRequest, signal: AbortSignal
  ): Promise<PlatformHttpResponse> => {
    const answer = await pool.request({
      method,
      path: `${prefix}${path}`,
      signal,
      headers: { ...headers, ...body !== undefined && { 'content-type': 'application/json' } },
      body: body === undefined ? null : JSON.stringify(body)
    })
    const retryAfterMs = parseRetryAfter(answer.headers['retry-after'], Date.now())
    if (answer.statusCode < 200 || answer.statusCode >= 300) {
      await answer.body.dump({ limit: ERROR_BYTES, signal }).catch(() => undefined)
      return { status: answer.statusCode, text: '', retryAfterMs }
    }
    const text = await readTextLimited(answer.body, maxBytes)
    if (text === undefined) {
      const endpoint = `${method} ${path.split('?', 1)[0]}`
      throw new PlatformProtocolError(`${endpoint} was answered with more than ${maxBytes} bytes.`)
    }
    return { status: answer.statusCode, text, retryAfterMs }
  }

  return {
    async send (sent) {
      const limit = AbortSignal.timeout(sent.timeoutMs)
      try {
        return await run(sent, sent.signal ? AbortSignal.any([sent.signal, limit]) : limit)
      } catch (error) {
        sent.signal?.throwIfAborted()
        if (error instanceof PlatformProtocolError) throw error
        if (limit.aborted) {
          throw new PlatformUnavailable(
            `The platform at ${origin} did not answer within ${sent.timeoutMs} ms.`, 'transient')
        }
        throw new PlatformUnavailable(
          `The platform at ${origin} cannot be reached${errorCodeSuffix(error)}.`, 'transient', undefined, error)
      }
    },
    close: () => pool.destroy()
  }
}
