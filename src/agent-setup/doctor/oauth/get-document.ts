/** Fetches a metadata document as a client does, and says what came in its place. */
import { request } from 'undici'
import { boundedResponse, type BoundedResponse } from '../../../lib/http/bounded-response.js'
import { errorCodeOrName } from '../../../lib/error-code.js'
import { parseObject } from '../../../lib/json/json-object.js'
import type { HttpRequestOptions } from '../../credentials/http-client.js'
import { addressIn } from '../../server-text.js'

const MAX_BYTES = 200_000

export interface MetadataDocument {
  /** 0 when no answer came. */
  status: number
  /** The JSON object of a 200; undefined for anything else. */
  json: Record<string, unknown> | undefined
  /** What came, in a few words. */
  description: string
}

/**
 * Sends a request. Redirects are not followed: some clients do not follow them.
 * @param timeoutMs until the whole answer is there
 * @returns the status 0, and the reason as text, when no answer came
 */
export const fetchText = (
  url: URL, timeoutMs: number, sent: Pick<HttpRequestOptions, 'headers' | 'body'> & { method: 'GET' | 'POST' }
): Promise<Pick<BoundedResponse, 'status' | 'headers' | 'text'>> => boundedResponse(
  (signal) => request(url, { ...sent, reset: true, signal }), { timeoutMs, maxBytes: MAX_BYTES }
).catch((error: unknown) => ({ status: 0, headers: {}, text: `no answer (${errorCodeOrName(error)})` }))

export const getDocument = async (url: URL, timeoutMs: number): Promise<MetadataDocument> => {
  const { status, headers, text } = await fetchText(
    url, timeoutMs, { method: 'GET', headers: { accept: 'application/json' } })
  const json = status === 200 ? parseObject(text ?? '') : undefined
  return { status, json, description: json ? 'the document' : descriptionOf(status, text, headers['location'], url) }
}

const descriptionOf = (status: number, text: string | undefined, location: string | string[] | undefined, url: URL) => {
  if (status === 0) return text ?? ''
  if (status >= 300 && status < 400) return `a redirect to ${addressIn([location].flat()[0], url) ?? 'no address'}`
  if (status !== 200) return `HTTP ${status}`
  if (text === undefined) return 'a document that is too long'
  return /^\s*</.test(text) ? 'an HTML page' : 'something that is no JSON object'
}
