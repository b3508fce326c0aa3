/** Puts OAuth together: the operations of the consent page, and the routes that need no session. */
import type { FastifyInstance } from 'fastify'
import type { OAuthClients } from '../db/oauth/sql-oauth-clients.js'
import type { OAuthGrants } from '../access/oauth/oauth-grants.js'
import type { OpenRoutesDeps } from '../access/oauth/open-routes.js'
import { oauthAddresses } from './addresses.js'
import {
  createAuthorizationServer, type AuthorizationServer, type AuthorizationServerDeps
} from './authorize/authorization-server.js'
import { createDocumentFetch, type DocumentFetchOptions } from './clients/fetch-document.js'
import { createHostRules } from './clients/host-rules.js'
import { createClientResolver } from './clients/resolve.js'
import { metadataRoutes } from './metadata.js'
import { registerRoute } from './register.js'
import { tokenRoutes } from './token/token-routes.js'

export interface OAuthServerDeps extends OpenRoutesDeps, Pick<AuthorizationServerDeps, 'secrets' | 'now'> {
  clients: OAuthClients
  grants: OAuthGrants
  documents?: DocumentFetchOptions | undefined
}

export const serveOAuth = async (app: FastifyInstance, deps: OAuthServerDeps): Promise<AuthorizationServer> => {
  const { config, clients, grants, secrets, origin, limits, onDenial, documents, now } = deps
  const admits = createHostRules(config)
  const resources = (): string[] => [oauthAddresses(app, config).resource, ...config.oauthResources]
  await app.register(metadataRoutes, { config, origin })
  await app.register(tokenRoutes, { clients, grants, resources, origin, limits, onDenial })
  await app.register(registerRoute, { config, clients, admits, origin, limits, onDenial })
  return createAuthorizationServer({
    findClient: createClientResolver({ clients, admits, fetchDocument: createDocumentFetch(documents) }),
    grants,
    issuer: () => oauthAddresses(app, config).resource,
    resources,
    secrets,
    lifetimes: { refreshable: config.oauthRefreshTokenTtlSeconds, fixed: config.oauthAccessTokenTtlSeconds },
    now
  })
}
