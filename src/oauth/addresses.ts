/**
 * The addresses of OAuth. The issuer is the address of the MCP endpoint that its tokens are for, so that whatever
 * well-known address a client derives from the one or the other, it is the same.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.js'
import { pagesUrlOf } from '../http/server-address.js'
import { isLoopbackHost } from '../lib/http/loopback.js'

/** The path of the endpoint; those of the authorization server lie below. */
export const OAUTH_PATH = '/oauth/mcp'

export interface OAuthAddresses {
  /** The address of the endpoint, and the issuer. */
  resource: string
  /** On the host of the pages, whose session it needs. */
  authorize: string
  token: string
  register: string
  revoke: string
  jwks: string
}

/** Returns the addresses; before the server listens, those it is to have. */
export const oauthAddresses = (app: FastifyInstance, config: Config): OAuthAddresses => {
  const pages = pagesUrlOf(app, config)
  const resource = config.oauthUrl === undefined ? `${pages}${OAUTH_PATH}` : `${new URL(config.oauthUrl).origin}/mcp`
  return {
    resource,
    authorize: `${pages}${OAUTH_PATH}/authorize`,
    token: `${resource}/token`,
    register: `${resource}/register`,
    revoke: `${resource}/revoke`,
    jwks: `${resource}/jwks`
  }
}

/**
 * Returns the address of the endpoint as the client of a request knows it. A server of this machine without PUBLIC_URL
 * has several names; clients compare the address that they were given with the one in the metadata.
 */
export const resourceForHost = ({ host }: FastifyRequest, resource: string, { publicUrl }: Config): string => {
  if (publicUrl !== undefined) return resource
  const own = new URL(resource)
  const requestUrl = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : own
  if (!isLoopbackHost(own.hostname) || !isLoopbackHost(requestUrl.hostname) || requestUrl.port !== own.port) {
    return resource
  }
  return `${requestUrl.origin}${own.pathname}`
}

/**
 * Returns the address that tokens are for, of one that a client named; undefined for another server's. Upper case in
 * scheme and host, a slash at the end, and the other names of loopback are accepted.
 * @param resources canonical addresses
 */
export const canonicalResource = (uri: string, resources: readonly string[]): string | undefined => {
  if (uri.includes('#') || !URL.canParse(uri)) return undefined
  const canonical = comparable(new URL(uri))
  return resources.find((resource) => comparable(new URL(resource)) === canonical)
}

const comparable = ({ protocol, username, password, hostname, port, pathname, search }: URL): string =>
  JSON.stringify([protocol, username, password, isLoopbackHost(hostname) ? 'localhost' : hostname, port,
    pathname.replace(/\/$/, ''), search])
