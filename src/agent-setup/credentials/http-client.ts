/**
 * One bounded HTTP request to the API of a server, for requests with a credential. Redirects are not followed: the
 * credential goes to the given address only.
 */
import { request } from 'undici'
import { Refusal } from '../../lib/errors.js'
import { boundedResponse, type BoundedResponse } from '../../lib/http/bounded-response.js'
import { errorCodeOrName } from '../../lib/error-code.js'
import { isLoopbackUrl } from '../../lib/http/loopback.js'

export interface HttpRequestOptions {
  method: 'GET' | 'POST' | 'DELETE'
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal | undefined
}

const TIMEOUT_MS = 15_000
const MAX_BYTES = 4_000_000

export async function httpRequest (url: URL, { signal, ...sent }: HttpRequestOptions) {
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal }
  const { text, ...reply } = await boundedResponse((bounded) => request(url, { ...sent, signal: bounded }), limits)
    .catch((error: unknown) => {
      if (signal?.aborted) throw error
      throw new ServerUnreachable(`${url.origin} cannot be reached (${errorCodeOrName(error)}).`)
    })
  if (text === undefined) throw new Refusal(`The answer of ${url.origin} is too long to be one of this server's.`)
  return { ...reply, text }
}

/**
 * Sends a request over a connection of its own, and waits `timeoutMs` for at most 200 kB. Redirects are not followed.
 * @returns the status 0, and the reason as text, when no answer came; no text when it is too long
 */
export const fetchText = (
  url: URL, sent: Partial<HttpRequestOptions>, timeoutMs: number
): Promise<Pick<BoundedResponse, 'status' | 'headers' | 'text'>> =>
  boundedResponse((signal) => request(url, { ...sent, reset: true, signal }), { timeoutMs, maxBytes: 200_000 })
    .catch((error: unknown) => ({ status: 0, headers: {}, text: `no answer (${errorCodeOrName(error)})` }))

/** No answer, or none in time: the request may or may not have had its effect. */
export class ServerUnreachable extends Refusal {}

export const form = (fields: Record<string, string>): Pick<HttpRequestOptions, 'headers' | 'body'> => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
  body: new URLSearchParams(fields).toString()
})

/** Whether the address is plain HTTP to another machine, where everything that is sent can be read on the way. */
export const isPlainHttp = (url: URL): boolean => url.protocol === 'http:' && !isLoopbackUrl(url)

/** Requires TLS for credentials (RFC 8628 section 3.1, RFC 6750 section 5.3), unless the user gave --allow-http. */
export const requireSecureTransport = (url: URL, allowed: boolean | undefined): void => {
  if (!isPlainHttp(url) || allowed) return
  throw new Refusal(`${url.origin} is plain http: anyone on the way could read the credential, so none is sent. ` +
    'Use the https address of the server; or, in a network that you trust, add --allow-http.')
}
