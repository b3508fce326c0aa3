/** The checks `oauth resource` and `oauth metadata`: the documents of RFC 9728 and of its authorization server. */
import { shownText } from '../../server-text.js'
import { failed, passed, warning, type CheckResult } from '../finding.js'
import { otherOrigin } from './check-sign-in.js'
import { isLoopbackUrl } from '../../../lib/http/loopback.js'
import { METADATA_FORMS, metadataAddress, wellKnownAddress } from '../../../lib/http/well-known-address.js'
import { sameOrigin } from '../../registry/endpoint-address.js'
import { firstIssuerIn, urlIn, type MetadataDocument, type OAuthProbe } from './oauth-probe.js'

export const checkResource = async (probe: OAuthProbe): Promise<CheckResult> => {
  const { url } = probe
  const { json, ...response } = await probe.resource()
  const { pathname } = new URL(wellKnownAddress('oauth-protected-resource', url.href))
  if (!json) return failed(`${pathname} answers with ${response.description}`, missingDocument(pathname, response))
  const resource = json['resource']
  if (typeof resource !== 'string' || !URL.canParse(resource)) {
    return failed('the document names no resource',
      `Something else answers at ${pathname}: let the proxy pass it on to the server.`)
  }
  const named = new URL(resource)
  if (!sameOrigin(named, url)) return failed(`it is about ${shownText(named.href)}`, otherOrigin(url, named))
  if (trimmed(named) !== trimmed(url)) {
    return failed(`it is about ${shownText(named.href)}, not about ${url.href}`,
      `Claude and VS Code refuse another address than the typed one: give people ${shownText(named.href)}.`)
  }
  const issuer = firstIssuerIn(json)
  if (!issuer) {
    return failed('it names no authorization server',
      `Something has changed the document at ${pathname}: let the proxy pass it on as it is.`)
  }
  if (!sameOrigin(issuer, url)) {
    return issuer.hostname === url.hostname
      ? failed(`the issuer is ${shownText(issuer.href)}`, otherOrigin(url, issuer))
      : warning(`the issuer is ${shownText(issuer.href)}`,
        'Its documents are on another host and were not looked at: run doctor for that host, with --oauth-url.')
  }
  return passed(`it is about ${named.href}`)
}

const trimmed = ({ pathname }: URL): string => pathname.replace(/\/$/, '')

const missingDocument = (
  path: string, { status, description }: Pick<MetadataDocument, 'status' | 'description'>
): string => {
  const addresses = path.replace(/^(\/\.well-known\/[^/]+)\/.*$/, '$1/…')
  const pass = `let the proxy pass ${addresses} on to the server`
  if (status === 404) return `Nothing is there: ${pass}. It is outside of /oauth/, so it needs a rule of its own.`
  if (description === 'an HTML page') return `A page of a website is there, which no application can read: ${pass}.`
  if (status >= 300 && status < 400) return `Applications do not follow it: ${pass}, without a redirect.`
  if (status === 401 || status === 403) return `Everybody has to reach it: ${pass} without a login of the proxy.`
  return `See the logs of the server and of the proxy, and ${pass}.`
}

export const checkMetadata = async (probe: OAuthProbe): Promise<CheckResult> => {
  const issuer = await probe.issuer()
  const problems: Array<{ detail: string, remedy: string }> = []
  for (const form of METADATA_FORMS) {
    const { pathname } = new URL(metadataAddress(issuer.href, form))
    const { json, ...response } = await probe.metadata(form)
    if (!json) {
      const detail = `${pathname} answers with ${response.description}`
      problems.push({ detail, remedy: missingDocument(pathname, response) })
      continue
    }
    const fault = metadataFault(json, issuer, probe.keys)
    if (fault) {
      const remedy = fault.kind === 'origin' && fault.written
        ? otherOrigin(issuer, fault.written)
        : `Something else answers at ${pathname}, or has changed the document: let the proxy pass it on as it is.`
      problems.push({ detail: `${pathname}: ${fault.detail}`, remedy })
    }
  }
  const [first] = problems
  if (!first) return passed('all three addresses have it')
  const others = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  return problems.length === METADATA_FORMS.length
    ? failed(first.detail + others, first.remedy)
    : warning(first.detail + others, first.remedy)
}

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint'] as const
const OPTIONAL_ENDPOINTS = ['registration_endpoint', 'revocation_endpoint'] as const

const REQUIRED = [['response_types_supported', 'code'], ['code_challenge_methods_supported', 'S256']] as const

interface MetadataFault {
  detail: string
  /** `origin`: an address of another origin; `document`: something that is missing. */
  kind: 'origin' | 'document'
  written?: URL
}

/** Returns the first fault that keeps every client from signing in; browsers are led to the host of `pages`. */
export const metadataFault = (
  json: Record<string, unknown>, issuer: URL, pages: URL
): MetadataFault | undefined => {
  const named = addressOf(json['issuer'])
  if (!named) return { kind: 'document', detail: 'the metadata names no issuer' }
  if (named.href !== issuer.href) {
    const kind = named.origin === issuer.origin ? 'document' : 'origin'
    return { kind, detail: `the issuer is ${shownText(named.href)}, not ${issuer.href}`, written: named }
  }
  for (const name of [...ENDPOINTS, ...OPTIONAL_ENDPOINTS]) {
    const address = addressOf(json[name])
    if (!address) {
      if (json[name] === undefined && !ENDPOINTS.some((each) => each === name)) continue
      return { kind: 'document', detail: `${name} is missing` }
    }
    const ofPages = name === 'authorization_endpoint' && sameOrigin(address, pages)
    if (!ofPages && !sameOrigin(address, issuer)) {
      return { kind: 'origin', detail: `${name} is ${shownText(address.href)}`, written: address }
    }
    if (address.protocol !== 'https:' && !isLoopbackUrl(address)) {
      return { kind: 'origin', detail: `${name} is plain http`, written: address }
    }
  }
  const lacking = REQUIRED.find(([field, item]) => !listed(json[field], item))
  return lacking && { kind: 'document', detail: `${lacking[0]} lacks ${lacking[1]}` }
}

export const listed = (value: unknown, item: string): boolean => Array.isArray(value) && value.includes(item)

const addressOf = (value: unknown): URL | undefined =>
  typeof value === 'string' && /^https?:/.test(value) ? urlIn(value) : undefined
