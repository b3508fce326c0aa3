/**
 * A server behind a proxy may be reached below a path (PUBLIC_URL=https://host/plans). Proxies remove that path from
 * requests or keep it; the server answers both.
 */
import type { IncomingMessage } from 'node:http'
import type { Config } from '../config/config.js'

/** First segments of the server's own addresses: a path that begins with one cannot be told from them. */
const OWN_SEGMENTS = new Set([
  '.well-known', 'admin', 'api', 'assets', 'audit', 'auth', 'device', 'explorations', 'integrations', 'livez', 'mcp',
  'oauth', 'readyz', 'settings', 'sign-in', 'usage', 'web'
])

export const publicPathOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): string =>
  publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')

/**
 * Returns the function that removes the path of PUBLIC_URL from targets of requests, for proxies that keep it;
 * undefined without such a path, or where it begins like an address of the server: then only a proxy that removes it
 * works.
 */
export const publicPathRouting = (
  config: Pick<Config, 'publicUrl'>
): ((request: Pick<IncomingMessage, 'url'>) => string) | undefined => {
  const base = publicPathOf(config)
  if (base === '' || OWN_SEGMENTS.has(base.split('/')[1] ?? '')) return undefined
  return ({ url = '/' }) => {
    if (!url.startsWith(base)) return url
    const rest = url.slice(base.length)
    if (rest === '' || rest.startsWith('?')) return `/${rest}`
    return rest.startsWith('/') ? rest : url
  }
}
