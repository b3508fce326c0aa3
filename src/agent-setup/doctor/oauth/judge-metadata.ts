/** What is wrong with the metadata of an authorization server. */
import { isLoopbackUrl } from '../../../lib/http/loopback.js'
import { sameOrigin } from '../../registry/endpoint-address.js'
import { shownText } from '../../server-text.js'

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint'] as const
const OPTIONAL_ENDPOINTS = ['registration_endpoint', 'revocation_endpoint'] as const

const REQUIRED = [['response_types_supported', 'code'], ['code_challenge_methods_supported', 'S256']] as const

export interface MetadataFault {
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
  typeof value === 'string' && URL.canParse(value) && /^https?:/.test(value) ? new URL(value) : undefined
