/** What doctor asks of the address where people sign in, each question once. Nothing of it needs a credential. */
import { send, type Endpoint } from '../mcp-client.js'
import { DISCOVER, memoizeCall, type Timeouts } from '../probe.js'
import { challengeParameter } from '../../../lib/http/bearer-challenge.js'
import { metadataAddress, wellKnownAddress, type MetadataForm } from '../../../lib/http/well-known-address.js'
import { parseObject } from '../../../lib/json/json-object.js'
import { fetchText } from '../../credentials/http-client.js'
import { sameOrigin } from '../../registry/endpoint-address.js'
import { addressIn } from '../../server-text.js'

export interface OAuthTarget {
  /** The address where people sign in, as they type it. */
  url: URL
  /** Whether it was given, not derived from the endpoint for keys: then it is a fault when nothing is there. */
  given: boolean
  /** The endpoint for keys and tokens. The pages of the web application are on its host. */
  keys: URL
}

export type OAuthProbe = ReturnType<typeof createOAuthProbe>

export const urlIn = (value: unknown): URL | undefined =>
  typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined

export const firstIssuerIn = (document: Record<string, unknown>): URL | undefined => {
  const [first]: unknown[] = [document['authorization_servers']].flat()
  return urlIn(first)
}

/** Cannot be anybody's: it has the form of no server's tokens. */
const WRONG_TOKEN = 'doctor'

/** Creates the probe. Documents of other origins are never asked for: the server chooses those addresses. */
export const createOAuthProbe = (
  { url, given, keys }: OAuthTarget, { answerMs }: Pick<Timeouts, 'answerMs'>
) => {
  const documents = new Map<string, Promise<MetadataDocument>>()
  const document = (address: URL): Promise<MetadataDocument> => {
    const fetched = documents.get(address.href) ?? getDocument(address, answerMs)
    documents.set(address.href, fetched)
    return fetched
  }
  const ask = (endpoint: Endpoint) => send(endpoint, { timeoutMs: answerMs, ...DISCOVER })
  const challenge = memoizeCall(() => ask({ url }))
  const resourceMetadata = async (): Promise<string | undefined> => {
    const answer = await challenge()
    return 'status' in answer
      ? challengeParameter(answer.header('www-authenticate') ?? '', 'resource_metadata')
      : undefined
  }
  const resource = async (): Promise<MetadataDocument> => {
    const own = new URL(wellKnownAddress('oauth-protected-resource', url.href))
    const address = urlIn(await resourceMetadata()) ?? own
    return document(sameOrigin(address, url) ? address : own)
  }
  /** The first issuer in the document about the resource, when it is of the same origin; else the address itself. */
  const issuer = async (): Promise<URL> => {
    const { json } = await resource()
    const first = firstIssuerIn(json ?? {}) ?? url
    return sameOrigin(first, url) ? first : url
  }
  return {
    url,
    given,
    keys,
    challenge,
    withWrongToken: () => ask({ url, token: WRONG_TOKEN }),
    /** The address of the document about the resource in the answer without a token; undefined without one. */
    resourceMetadata,
    document,
    resource,
    issuer,
    metadata: async (form: MetadataForm) => document(new URL(metadataAddress((await issuer()).href, form)))
  }
}

export type MetadataDocument = Awaited<ReturnType<typeof getDocument>>

/** The status is 0 when no answer came. Only the JSON object of a 200 is `json`. */
const getDocument = async (url: URL, timeoutMs: number) => {
  const { status, headers, text } = await fetchText(url, { headers: { accept: 'application/json' } }, timeoutMs)
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
