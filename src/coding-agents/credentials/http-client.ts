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

/** No redirect is followed: a credential goes to the address that was given and to no other. */
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

/** Nobody answered, or not in time: what was asked may or may not have been done. */
export class ServerUnreachable extends Refusal {}

/** The JSON object in a body; an empty one where it is none. */
export const objectIn = (text: string): Record<string, unknown> => {
  try {
    const value = parseBoundedJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

export const form = (fields: Record<string, string>): Pick<HttpRequestOptions, 'headers' | 'body'> => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
  body: new URLSearchParams(fields).toString()
})
