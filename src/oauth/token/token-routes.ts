/** The token endpoint, and the revocation of tokens by the client (RFC 7009). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refusalEvent } from '../../access/audit/audit-refusals.js'
import { OAuthError, parametersOf, readForms } from '../../access/oauth/oauth-error.js'
import { limitAddress, openRoutes, type OpenRoutesDeps } from '../../access/oauth/open-routes.js'
import type { OAuthClients } from '../../db/oauth/sql-oauth-clients.js'
import type { IssuedTokens, OAuthGrants } from '../../access/oauth/oauth-grants.js'
import { clientAddress } from '../../lib/http/client-address.js'
import { OAUTH_PATH } from '../addresses.js'
import { oauthScope, resourceParameter } from '../scope.js'
import { allowEveryOrigin, answerPreflights } from '../cors.js'
import { authenticateClient } from './client-authentication.js'
import { redeemCode, refreshTokens } from './grants.js'

export interface TokenRoutesDeps extends Omit<OpenRoutesDeps, 'config'> {
  clients: OAuthClients
  grants: OAuthGrants
  resources: () => readonly string[]
}

const BODY_LIMIT_BYTES = 16_384
const MAX_LENGTH = 2000
/** Of one address, to both endpoints. */
const REQUESTS_PER_MINUTE = 600
const TOKEN = `${OAUTH_PATH}/token`
const REVOKE = `${OAUTH_PATH}/revoke`

/** Fastify plugin: `POST /oauth/mcp/token` (RFC 6749 section 3.2) and `POST /oauth/mcp/revoke` (RFC 7009). */
export const tokenRoutes = async (
  app: FastifyInstance, { clients, grants, resources, origin, limits, onDenial }: TokenRoutesDeps
): Promise<void> => {
  allowEveryOrigin(app, origin)
  openRoutes(app, { onDenial })
  app.removeAllContentTypeParsers()
  readForms(app)
  const options = { bodyLimit: BODY_LIMIT_BYTES, onRequest: limitAddress(limits, 'oauth', REQUESTS_PER_MINUTE) }

  app.post(TOKEN, options, async (request, reply) => {
    const form = formOf(request)
    const parameter = parametersOf(form, MAX_LENGTH)
    const clientId = await authenticateClient(clients, request, reply, parameter)
    const grantType = parameter('grant_type')
    const resource = resourceParameter(form, resources(), (message) => new OAuthError('invalid_target', message))
    const tokenRequest = { clientId, parameter, resource }
    try {
      switch (grantType) {
        case 'authorization_code': return tokenReply(await redeemCode(grants, tokenRequest))
        case 'refresh_token': return tokenReply(await refreshTokens(grants, tokenRequest))
        case undefined: throw new OAuthError('invalid_request', 'grant_type is required.')
        default: throw new OAuthError('unsupported_grant_type',
          'The grant_type is authorization_code or refresh_token.')
      }
    } catch (error) {
      if (error instanceof OAuthError && error.code === 'invalid_grant') onDenial(refusalEvent('unauthorized', request))
      throw error
    }
  })

  // RFC 7009 section 2.2: an unknown token gets the same reply as a valid one.
  app.post(REVOKE, options, async (request, reply) => {
    const parameter = parametersOf(formOf(request), MAX_LENGTH)
    const clientId = await authenticateClient(clients, request, reply, parameter)
    const token = parameter('token')
    if (token === undefined) throw new OAuthError('invalid_request', 'token is required.')
    const by = `the application, from ${clientAddress(request.ip)}`
    if (!await grants.revoke(token, clientId, by)) onDenial(refusalEvent('unauthorized', request))
    return {}
  })

  answerPreflights(app, 'POST', [TOKEN, REVOKE])
}

const formOf = ({ body }: FastifyRequest): URLSearchParams => {
  if (body instanceof URLSearchParams) return body
  throw new OAuthError('invalid_request', 'Send the parameters as application/x-www-form-urlencoded.')
}

const tokenReply = ({ accessToken, expiresIn, refreshToken, scope }: IssuedTokens) => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: expiresIn,
  scope: oauthScope(scope),
  ...refreshToken !== undefined && { refresh_token: refreshToken }
})
