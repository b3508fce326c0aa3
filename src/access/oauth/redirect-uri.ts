/** Redirect URIs: which ones a client may have, and whether a request names one of them. */
import { isLoopbackHost } from '../../lib/http/loopback.js'

const MAX_LENGTH = 2000

// By text, as the comparison is exact: a parser would make different texts equal.
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?([/?].*)?$/

/** Whether answers may go there: https, or plain http on the person's own machine; no fragment, no userinfo. */
export const isRedirectUri = (uri: unknown): uri is string => {
  if (typeof uri !== 'string' || uri.length > MAX_LENGTH ||
    !/^[\x21-\x7e]+$/.test(uri) || uri.includes('#')) return false
  if (LOOPBACK.test(uri)) return URL.canParse(uri)
  if (!/^https:\/\/[^/?@\\]+([/?]|$)/.test(uri) || !URL.canParse(uri)) return false
  const { username, password, hostname } = new URL(uri)
  return username === '' && password === '' && hostname !== ''
}

export const isLoopbackRedirect = (uri: string): boolean => LOOPBACK.test(uri)

/** Whether the URI names another machine without encryption, which no client may have. */
export const isPlainRemote = (uri: string): boolean => /^http:/i.test(uri) && !LOOPBACK.test(uri)

/**
 * Returns the URI to answer to; undefined when the client has no such one. The comparison is exact, but for the port
 * of a loopback address, which native clients choose when they start (RFC 8252 section 7.3).
 * @param asked the request's redirect_uri; it may be absent when the client has just one, on another machine
 */
export const matchRedirectUri = (asked: string | undefined, registered: readonly string[]): string | undefined => {
  if (asked === undefined) {
    const [only, ...others] = registered
    return only !== undefined && others.length === 0 && !isLoopbackRedirect(only) ? only : undefined
  }
  if (!isRedirectUri(asked)) return undefined
  const native = LOOPBACK.exec(asked)
  const matches = (uri: string): boolean => {
    if (uri === asked) return true
    const own = native && LOOPBACK.exec(uri)
    return own !== null && native !== null && native[1] === own[1] && native[2] === own[2]
  }
  return registered.some(matches) ? asked : undefined
}

/** The host to show: with the port where there is one. */
export const hostOfRedirect = (uri: string): string => new URL(uri).host

/** The name of the host by which rules admit it: `localhost` for every loopback address. */
export const ruleHostOf = (uri: string): string => {
  const { hostname } = new URL(uri)
  return isLoopbackHost(hostname) ? 'localhost' : hostname
}
