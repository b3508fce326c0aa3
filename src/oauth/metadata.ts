/** The metadata: of the resource (RFC 9728), of the authorization server (RFC 8414, and in the form of OpenID). */
import { type OAuthAddresses, oauthAddresses, OAUTH_PATH, resourceForHost } from './addresses.js'
import { SCOPES } from './scope.js'
import { SERVER } from '../config/server-info.js'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { oauthProblem } from '../access/oauth/oauth-error.js'
import type { Config } from '../config/config.js'
import type { OriginGuard } from '../lib/http/origin-guard.js'
import { allowEveryOrigin, answerPreflights } from './cors.js'

/** The scope by which clients ask for refresh tokens. It gives no access. */
const OFFLINE_ACCESS = 'offline_access'

/** How clients show who they are. `none` is needed: hosts fall back to registration where it is missing. */
const AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post']

/** Returns the metadata of RFC 8414 section 2, for these addresses. */
const serverMetadata = ({ resource, authorize, token, register, revoke }: OAuthAddresses) => ({
  issuer: resource,
  authorization_endpoint: authorize,
  token_endpoint: token,
  registration_endpoint: register,
  revocation_endpoint: revoke,
  scopes_supported: [...SCOPES, OFFLINE_ACCESS],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: AUTH_METHODS,
  revocation_endpoint_auth_methods_supported: AUTH_METHODS,
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  protected_resources: [resource]
})

/** Returns the metadata with the fields that clients require of OpenID providers. Nothing is signed here. */
const openIdMetadata = (addresses: OAuthAddresses) => ({
  ...serverMetadata(addresses),
  jwks_uri: addresses.jwks,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256']
})

/** Clients compare `resource`, the address of the endpoint as they know it. */
const protectedResource = (resource: string, issuer: string) => ({
  resource,
  authorization_servers: [issuer],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: SERVER.name
})

export interface MetadataRoutesDeps {
  config: Config
  origin: OriginGuard
  /** The issuer of another server that issues the tokens; absent where this one does. */
  foreignIssuer?: (() => Promise<string | undefined>) | undefined
}

const CACHE = 'public, max-age=300'

/**
 * Fastify plugin: the metadata of the resource at each address that clients derive from that of the endpoint; without
 * `foreignIssuer` also the metadata of the authorization server, and its empty key set.
 */
export const metadataRoutes = async (
  app: FastifyInstance, { config, origin, foreignIssuer }: MetadataRoutesDeps
): Promise<void> => {
  allowEveryOrigin(app, origin)
  app.setErrorHandler(oauthProblem)
  const addresses = () => oauthAddresses(app, config)
  // Behind a proxy that serves this server below a path, the well-known addresses have that path too.
  const { pathname } = new URL(config.publicUrl ?? 'http://localhost')
  const paths = [...new Set([OAUTH_PATH, `${pathname.replace(/\/$/, '')}${OAUTH_PATH}`])]
  const inserted = (name: string): string[] => paths.map((path) => `/.well-known/${name}${path}`)
  const send = (reply: FastifyReply, document: object): FastifyReply =>
    reply.header('cache-control', CACHE).type('application/json').send(JSON.stringify(document))

  const ofResource = inserted('oauth-protected-resource')
  for (const path of ofResource) {
    for (const slash of ['', '/']) {
      app.get(`${path}${slash}`, async (request, reply) => {
        const { resource } = addresses()
        const issuer = foreignIssuer ? await foreignIssuer() : resource
        if (issuer === undefined) return reply.callNotFound()
        return send(reply, protectedResource(`${resourceForHost(request, resource, config)}${slash}`, issuer))
      })
    }
  }
  answerPreflights(app, 'GET', ofResource)
  if (foreignIssuer) return

  const ofServer = [...inserted('oauth-authorization-server'), `${OAUTH_PATH}/.well-known/oauth-authorization-server`]
  const ofOpenId = [...inserted('openid-configuration'), `${OAUTH_PATH}/.well-known/openid-configuration`]
  for (const slash of ['', '/']) {
    for (const path of ofServer) {
      app.get(`${path}${slash}`, async (_request, reply) => send(reply, serverMetadata(addresses())))
    }
    for (const path of ofOpenId) {
      app.get(`${path}${slash}`, async (_request, reply) => send(reply, openIdMetadata(addresses())))
    }
  }
  const jwks = `${OAUTH_PATH}/jwks`
  app.get(jwks, async (_request, reply) => send(reply, { keys: [] }))
  answerPreflights(app, 'GET', [...ofServer, ...ofOpenId, jwks])
}
