/**
 * One exchange with a server, for those that try it out: bounded in time and size, and never beyond the address
 * that was given.
 */
import { request } from 'undici'
import { Refusal } from '../../lib/errors.js'
import { readTextLimited } from '../../lib/read-limited.js'
import { errorCodeOrName } from '../../lib/error-code.js'
import { parseBoundedJson } from '../../lib/json-depth.js'

export interface HttpAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

export interface HttpRequestOptions {
  method: 'GET' | 'POST' | 'DELETE'
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal | undefined
}

const TIMEOUT_MS = 15_000
const MAX_BYTES = 4_000_000

/**
 * Sends a request; at most 15 s and 4 MB.
 * @throws {ServerUnreachable} when no answer came
 * @throws {Refusal} when the answer is too long
 */
export async function httpRequest (url: URL, { signal, ...sent }: HttpRequestOptions): Promise<HttpAnswer> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const reply = await request(url, { ...sent, signal: signal ? AbortSignal.any([signal, timeout]) : timeout })
    const text = await readTextLimited(reply.body, MAX_BYTES)
    if (text === undefined) throw new Refusal(`The answer of ${url.origin} is too long to be one of this server's.`)
    return { status: reply.statusCode, headers: reply.headers, text }
  } catch (error) {
    if (error instanceof Refusal || signal?.aborted) throw error
    throw new ServerUnreachable(`${url.origin} cannot be reached (${errorCodeOrName(error)}).`)
  }
}

/** No answer, or none in time: the request may or may not have had its effect. */
export class ServerUnreachable extends Refusal {}

/** The JSON object in a body; an empty one for anything else. */
export const objectIn = (text: string): Record<string, unknown> => {
  try {
    const value = parseBoundedJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

/** The body and headers of a form-encoded request. */
export const form = (fields: Record<string, string>): Pick<HttpRequestOptions, 'headers' | 'body'> => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
  body: new URLSearchParams(fields).toString()
})
/**
 * One bounded HTTP request to the API of a server, for requests with a credential. Redirects are not followed: the
 * credential goes to the given address only.
 */
