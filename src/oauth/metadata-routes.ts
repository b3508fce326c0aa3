/** The routes of the metadata: of the resource, of the authorization server in each form that clients derive. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { oauthProblem } from '../access/oauth/oauth-error.js'
import type { Config } from '../config/config.js'
import type { OriginGuard } from '../lib/http/origin-guard.js'
import { oauthAddresses, OAUTH_PATH, resourceForHost } from './addresses.js'
import { allowEveryOrigin, answerPreflights } from './cors.js'
import { openIdMetadata, serverMetadata } from './metadata.js'
import { protectedResource } from './protected-resource.js'

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
