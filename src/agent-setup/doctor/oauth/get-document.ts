/** Fetches a metadata document as a client does, and says what came in its place. */
import { request } from 'undici'
import { boundedResponse } from '../../../lib/http/bounded-response.js'
import { errorCodeOrName } from '../../../lib/error-code.js'
import { parseObject } from '../../../lib/json/json-object.js'
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
 * Sends a GET that accepts JSON. Redirects are not followed: some clients do not follow them.
 * @param timeoutMs until the whole answer is there
 */
export const getDocument = async (url: URL, timeoutMs: number): Promise<MetadataDocument> => {
  try {
    const { status, headers, text } = await boundedResponse(
      (signal) => request(url, { headers: { accept: 'application/json' }, reset: true, signal }),
      { timeoutMs, maxBytes: MAX_BYTES }
    )
    if (status >= 300 && status < 400) {
      const [location] = [headers.location].flat()
      return { status, json: undefined, description: `a redirect to ${addressOf(location, url) ?? 'no address'}` }
    }
    if (status !== 200) return { status, json: undefined, description: `HTTP ${status}` }
    if (text === undefined) return { status, json: undefined, description: 'a document that is too long' }
    const json = parseObject(text)
    const other = /^\s*</.test(text) ? 'an HTML page' : 'something that is no JSON object'
    return { status, json, description: json ? 'the document' : other }
  } catch (error) {
    return { status: 0, json: undefined, description: `no answer (${errorCodeOrName(error)})` }
  }
}

const addressOf = (location: string | undefined, base: URL): string | undefined =>
  location !== undefined && URL.canParse(location, base.href) ? addressIn(new URL(location, base).href) : undefined
