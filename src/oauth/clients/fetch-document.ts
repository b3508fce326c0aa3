/**
 * Fetches a document from an address that a client chose. The host's addresses are resolved once, all have to be
 * public, and the connection goes to those very addresses: there is no second resolution that could answer otherwise,
 * and no socket is opened to anything else.
 */
import { lookup } from 'node:dns/promises'
import { request as httpsRequest } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { untilAborted } from '../../lib/async/deadline.js'
import { parseBoundedJson } from '../../lib/json/json-depth.js'
import { readTextLimited } from '../../lib/http/bounded-response.js'
import { USER_AGENT } from '../../config/server-info.js'
import { isPublicAddress } from './host-rules.js'

export interface DocumentFetchOptions {
  /** Returns all addresses of a host; the system's resolver by default. */
  resolve?: ((hostname: string) => Promise<ReadonlyArray<{ address: string, family: number }>>) | undefined
  /** Whether a connection may go to an address; by default to those of the public internet. */
  isAllowed?: ((address: string) => boolean) | undefined
  /** Certificates to trust instead of the system's, as PEM. */
  ca?: string | undefined
}

/**
 * `unavailable`: the host did not answer, or not to this server, so that an older copy may stand in. `refused`: it
 * answered that there is no such document.
 */
export type FetchedDocument =
  { kind: 'document', document: unknown, freshSeconds: number } |
  { kind: 'unavailable' | 'refused', reason: string }

export type FetchDocument = (address: string) => Promise<FetchedDocument>

const TIMEOUT_MS = 3000
const MAX_BYTES = 10_240
const MIN_FRESH_SECONDS = 300
const MAX_FRESH_SECONDS = 86_400

/** Creates the function that fetches a document. It never rejects, and settles within three seconds. */
export const createDocumentFetch = ({
  resolve = (hostname) => lookup(hostname, { all: true, verbatim: true }), isAllowed = isPublicAddress, ca
}: DocumentFetchOptions = {}): FetchDocument => {
  const addressesOf = async (hostname: string): Promise<ReadonlyArray<{ address: string, family: number }>> => {
    const bare = hostname.replace(/^\[|\]$/g, '')
    const family = isIP(bare)
    const addresses = family === 0 ? await resolve(hostname) : [{ address: bare, family }]
    if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(address))) throw new PrivateAddress()
    return addresses
  }

  return async (address) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    try {
      const url = new URL(address)
      const addresses = await untilAborted(addressesOf(url.hostname), signal)
      return await read(await open(url, addresses, signal, ca))
    } catch (error) {
      return {
        kind: 'unavailable',
        reason: error instanceof PrivateAddress
          ? 'its host is not on the public internet'
          : signal.aborted ? 'its host does not answer' : 'its host cannot be reached'
      }
    }
  }
}

class PrivateAddress extends Error {}

const open = (
  url: URL, addresses: ReadonlyArray<{ address: string, family: number }>, signal: AbortSignal, ca: string | undefined
): Promise<IncomingMessage> => new Promise((resolve, reject) => {
  const lookupChecked: LookupFunction = (_hostname, { all }, callback) => {
    const [first] = addresses
    if (all || !first) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }
  const request = httpsRequest(url, {
    agent: false,
    lookup: lookupChecked,
    signal,
    headers: { accept: 'application/json', 'user-agent': USER_AGENT },
    ...ca !== undefined && { ca }
  }, resolve)
  request.on('error', reject).end()
})

const read = async (answer: IncomingMessage): Promise<FetchedDocument> => {
  const { statusCode = 0, headers } = answer
  if (statusCode !== 200) {
    answer.destroy()
    const reason = `its host answers ${statusCode}`
    // Some hosts answer servers so that answer browsers; redirects are not followed.
    const isUnavailable = statusCode === 403 || statusCode === 429 || statusCode >= 500 ||
      (statusCode >= 300 && statusCode < 400)
    return { kind: isUnavailable ? 'unavailable' : 'refused', reason }
  }
  const text = await readTextLimited(answer, MAX_BYTES)
  if (text === undefined) return { kind: 'refused', reason: `it is larger than ${MAX_BYTES} bytes` }
  try {
    const document = parseBoundedJson(text)
    return { kind: 'document', document, freshSeconds: freshSecondsOf(headers) }
  } catch {
    return { kind: 'refused', reason: 'it is no JSON' }
  }
}

/** RFC 9111 section 4.2.1, between five minutes and a day. */
const freshSecondsOf = ({ 'cache-control': control = '', expires, date }: IncomingMessage['headers']): number => {
  const maxAge = /(?:^|[\s,])max-age=(\d{1,10})/i.exec(control)?.[1]
  const until = Date.parse(expires ?? '') - (Date.parse(date ?? '') || Date.now())
  const seconds = /no-store|no-cache/i.test(control)
    ? 0
    : maxAge !== undefined ? Number(maxAge) : Number.isNaN(until) ? 0 : until / 1000
  return Math.round(Math.min(MAX_FRESH_SECONDS, Math.max(MIN_FRESH_SECONDS, seconds)))
}
