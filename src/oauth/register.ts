/** Dynamic client registration (RFC 7591), for clients without a document. Bounded by address and in all. */
import type { FastifyInstance } from 'fastify'
import { OAuthError } from '../access/oauth/oauth-error.js'
import { openRoutes, type OpenRoutesDeps } from '../access/oauth/open-routes.js'
import type { OAuthClients } from '../db/oauth/sql-oauth-clients.js'
import { clientAddress } from '../lib/http/client-address.js'
import { OAUTH_PATH } from './addresses.js'
import type { AdmitsClient } from './clients/host-rules.js'
import { parseRegistration } from './clients/client-metadata.js'
import { allowEveryOrigin, answerPreflights } from './cors.js'
import { SCOPES } from './scope.js'

export interface RegisterDeps extends OpenRoutesDeps {
  clients: Pick<OAuthClients, 'create'>
  admits: AdmitsClient
}

const BODY_LIMIT_BYTES = 8192
const HOUR_MS = 3_600_000
const REGISTER = `${OAUTH_PATH}/register`

/** Fastify plugin: `POST /oauth/mcp/register` answers 201 with the client, or with an `OAuthError` as JSON. */
export const registerRoute = async (
  app: FastifyInstance, { config, clients, admits, origin, limits, onDenial }: RegisterDeps
): Promise<void> => {
  allowEveryOrigin(app, origin)
  const count = limits('oauth-register', config.oauthRegistrationsPerHour, HOUR_MS)
  openRoutes(app, { onDenial })

  app.post(REGISTER, {
    bodyLimit: BODY_LIMIT_BYTES,
    onRequest: async (request, reply) => {
      const seconds = await count(request, reply)
      if (seconds === undefined) return
      throw new OAuthError(
        'slow_down', `Too many applications registered from this address. Try again in ${seconds} seconds.`, 429)
    }
  }, async (request, reply) => {
    const { grantTypes, ...client } = parseRegistration(request.body)
    const { name, uri, redirectUris } = client
    if (!admits({ kind: 'registered', host: null, redirectUris })) {
      throw new OAuthError('access_denied', 'The operator of this server does not admit this application.', 403)
    }
    const created = await clients.create(
      { ...client, by: `its request from ${clientAddress(request.ip)}` }, config.oauthMaxClients)
    if (!created) {
      throw new OAuthError(
        'temporarily_unavailable', 'Too many applications are registered here. Try again tomorrow.', 503)
    }
    return reply.code(201).send({
      client_id: created.id,
      client_id_issued_at: Math.floor(Date.parse(created.created_at) / 1000),
      client_name: name,
      ...uri !== undefined && { client_uri: uri },
      redirect_uris: redirectUris,
      grant_types: grantTypes,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: SCOPES.join(' ')
    })
  })

  answerPreflights(app, 'POST', [REGISTER])
}
