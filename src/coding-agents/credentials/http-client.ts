/** One exchange with a server, for those that try it out: bounded in time and size, and never beyond the address that was given. */
import { request } from 'undici'
import { Refusal } from '../../lib/errors.js'
import { textWithin } from '../../lib/read-limited.js'
import { codeOf } from '../../lib/error-code.js'
import { parseBoundedJson } from '../../lib/json-depth.js'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

export interface Sent {
  method: 'GET' | 'POST' | 'DELETE'
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal | undefined
}

const PATIENCE_MS = 15_000
const MOST_BYTES = 4_000_000

/** No redirect is followed: a credential goes to the address that was given and to no other. */
export async function exchange (url: URL, { signal, ...sent }: Sent): Promise<Answer> {
  const patience = AbortSignal.timeout(PATIENCE_MS)
  try {
    const reply = await request(url, { ...sent, signal: signal ? AbortSignal.any([signal, patience]) : patience })
    const text = await textWithin(reply.body, MOST_BYTES)
    if (text === undefined) throw new Refusal(`The answer of ${url.origin} is too long to be one of this server's.`)
    return { status: reply.statusCode, headers: reply.headers, text }
  } catch (error) {
    if (error instanceof Refusal || signal?.aborted) throw error
    throw new Unreachable(`${url.origin} cannot be reached (${codeOf(error)}).`)
  }
}

/** Nobody answered, or not in time: what was asked may or may not have been done. */
export class Unreachable extends Refusal {}

/** The JSON object in a body; an empty one where it is none. */
export const objectIn = (text: string): Record<string, unknown> => {
  try {
    const value = parseBoundedJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

export const form = (fields: Record<string, string>): Pick<Sent, 'headers' | 'body'> => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
  body: new URLSearchParams(fields).toString()
})
