/** One request to the platform and its whole answer, over connections that are kept. What goes wrong on the way is `PlatformAway`. */
import { Pool } from 'undici'
import { retryAfter } from '../lib/retry-after.js'
import { SERVER } from '../server-info.js'
import { textWithin } from '../lib/read-limited.js'
import { PlatformAway, PlatformBroken } from './errors.js'
import { PREFIX } from './operation.js'

export interface ExchangeSettings {
  url: string
  token?: string | undefined
  connections: number
}

export interface Sent {
  method: string
  /** With its query, under /api/v1. */
  path: string
  body?: unknown
  /** Bytes that an answer may have. */
  most: number
  timeoutMs: number
  signal?: AbortSignal | undefined
}

export interface Received { status: number, text: string, retryAfterMs: number | undefined }

export interface Exchange {
  send (sent: Sent): Promise<Received>
  close (): Promise<void>
}

const CONNECT_TIMEOUT_MS = 2000
const KEEP_ALIVE_MS = 30_000
// An answer that is an error is read as far as this, so that its connection can be used again.
const ERROR_BYTES = 65_536

export const exchange = ({ url, token, connections }: ExchangeSettings): Exchange => {
  const { origin, pathname } = new URL(url)
  const prefix = `${pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}${PREFIX}`
  const pool = new Pool(origin, { connections, connect: { timeout: CONNECT_TIMEOUT_MS }, keepAliveTimeout: KEEP_ALIVE_MS })
  const headers = {
    accept: 'application/json',
    'user-agent': `${SERVER.name}/${SERVER.version}`,
    ...token !== undefined && { authorization: `Bearer ${token}` }
  }

  const run = async ({ method, path, body, most }: Sent, signal: AbortSignal): Promise<Received> => {
    const answer = await pool.request({
      method,
      path: `${prefix}${path}`,
      signal,
      headers: { ...headers, ...body !== undefined && { 'content-type': 'application/json' } },
      body: body === undefined ? null : JSON.stringify(body)
    })
    const retryAfterMs = retryAfter(answer.headers['retry-after'], Date.now())
    if (answer.statusCode < 200 || answer.statusCode >= 300) {
      await answer.body.dump({ limit: ERROR_BYTES, signal }).catch(() => undefined)
      return { status: answer.statusCode, text: '', retryAfterMs }
    }
    const text = await textWithin(answer.body, most)
    if (text === undefined) throw new PlatformBroken(`${method} ${path.split('?', 1)[0]} was answered with more than ${most} bytes.`)
    return { status: answer.statusCode, text, retryAfterMs }
  }

  return {
    async send (sent) {
      const limit = AbortSignal.timeout(sent.timeoutMs)
      try {
        return await run(sent, sent.signal ? AbortSignal.any([sent.signal, limit]) : limit)
      } catch (error) {
        sent.signal?.throwIfAborted()
        if (error instanceof PlatformBroken) throw error
        if (limit.aborted) throw new PlatformAway(`The platform at ${origin} did not answer within ${sent.timeoutMs} ms.`, 'passing')
        const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
        throw new PlatformAway(`The platform at ${origin} cannot be reached${code}.`, 'passing', undefined, error)
      }
    },
    close: () => pool.destroy()
  }
}
