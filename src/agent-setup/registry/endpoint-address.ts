/** Addresses of endpoints: where people sign in beside where keys and tokens are taken, and which are equal. */
import { isLoopbackUrl } from '../../lib/http/loopback.js'

const SIGN_IN = /\/oauth\/mcp\/?$/

export const isOAuthAddress = ({ pathname }: URL): boolean => SIGN_IN.test(pathname)

/** Returns the address for keys beside one where people sign in; any other address as it is. */
export const keysAddressOf = (address: URL): URL => {
  if (!isOAuthAddress(address)) return address
  const keys = new URL(address)
  keys.pathname = keys.pathname.replace(SIGN_IN, '/mcp')
  return keys
}

/**
 * Returns the address for OAuth that a server has beside an endpoint, unless it was given a host name of its own
 * (OAUTH_URL): `https://example.org/mcp` → `https://example.org/oauth/mcp`.
 * @returns undefined for an address that does not end in `/mcp`
 */
export const oauthAddressOf = (endpoint: string): string | undefined => {
  const url = new URL(endpoint)
  const path = url.pathname.replace(/\/$/, '')
  if (!path.endsWith('/mcp')) return undefined
  if (isOAuthAddress(url)) return url.href
  url.pathname = `${path.slice(0, -'/mcp'.length)}/oauth/mcp`
  url.search = ''
  url.hash = ''
  return url.href
}

export const sameEndpoint = (one: URL, other: URL): boolean => plain(one) === plain(other)

const plain = (url: URL): string => {
  const host = isLoopbackUrl(url) ? 'localhost' : url.hostname
  return [url.protocol, host, url.port, url.pathname.replace(/\/+$/, ''), url.search].join(' ')
}

/** The names of this machine are one host. */
export const sameOrigin = (one: URL, other: URL): boolean => one.origin === other.origin ||
  (one.protocol === other.protocol && one.port === other.port && isLoopbackUrl(one) && isLoopbackUrl(other))
