/**
 * Serves OAuth under a host name of its own (OAUTH_URL), by rewriting targets: `/mcp` of that host is `/oauth/mcp` of
 * the server. Clients that look at the root of a host only find the metadata there.
 */
import type { IncomingMessage } from 'node:http'
import type { Config } from '../config/config.js'
import { OAUTH_PATH } from './addresses.js'

const METADATA =
  /^\/\.well-known\/(oauth-protected-resource|oauth-authorization-server|openid-configuration)(\/mcp)?(\/?)$/
/** Everything below `/.well-known/` that is not served is answered 404 as JSON. */
const NOWHERE = '/.well-known/none'

/** Returns the function that rewrites targets by the request's host; undefined without OAUTH_URL. */
export const oauthHostRouting = (
  { oauthUrl, publicUrl }: Config
): ((request: Pick<IncomingMessage, 'url' | 'headers'>) => string) | undefined => {
  if (oauthUrl === undefined) return undefined
  const { host, protocol } = new URL(oauthUrl)
  // With the port of the scheme it is the same host.
  const isOwnHost = (name: string): boolean =>
    URL.canParse(`${protocol}//${name}`) && new URL(`${protocol}//${name}`).host === host
  // On the host of the pages people authorize, and nothing else of OAuth is there.
  const isShared = publicUrl !== undefined && new URL(publicUrl).host === host
  return ({ url = '/', headers }) => {
    const [path = '/', ...query] = url.split(/(?=\?)/)
    const search = query.join('')
    if (isOwnHost(headers.host ?? '')) return isShared ? url : `${onOwnHost(path)}${search}`
    const routed = routedPath(path)
    const isOAuth = routed.startsWith(OAUTH_PATH) || routed.replace(METADATA, '') === '' ||
      (routed.startsWith('/.well-known/') && routed.includes(OAUTH_PATH))
    return isOAuth && !routed.startsWith(`${OAUTH_PATH}/authorize`) ? NOWHERE : url
  }
}

const onOwnHost = (path: string): string => {
  const metadata = METADATA.exec(path)
  if (metadata) return `/.well-known/${metadata[1]}${OAUTH_PATH}${metadata[2] === undefined ? '' : metadata[3]}`
  // People authorize on the host of the pages.
  if (routedPath(path).startsWith('/mcp/authorize')) return NOWHERE
  if (path === '/mcp' || path.startsWith('/mcp/')) return `${OAUTH_PATH}${path.slice('/mcp'.length)}`
  return ['/livez', '/readyz'].includes(path) ? path : NOWHERE
}

/** The path as the router compares it: without the scheme and host of an absolute target, and without escapes. */
const routedPath = (path: string): string => {
  try {
    return decodeURI(path.replace(/^https?:\/\/[^/]*/i, ''))
  } catch {
    return path
  }
}
