/**
 * The token endpoint, with the grants of a code (RFC 6749 section 4.1.3, RFC 7636 section 4.5) and of a refresh token
 * (RFC 6749 section 6), and the revocation of tokens by the client (RFC 7009).
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refusalEvent } from '../../access/audit/audit-refusals.js'
import { OAuthError, parametersOf, readForms } from '../../access/oauth/oauth-error.js'
import { limitAddress, openRoutes, type OpenRoutesDeps } from '../../access/oauth/open-routes.js'
import type { OAuthClients } from '../../db/oauth/sql-oauth-clients.js'
import type { CodeRefusal, IssuedTokens, OAuthGrants, RefreshRefusal } from '../../access/oauth/oauth-grants.js'
import { clientAddress } from '../../lib/http/client-address.js'
import { OAUTH_PATH } from '../addresses.js'
import { oauthScope, READ, resourceParameter, SCOPES, WRITE } from '../scope.js'
import { allowEveryOrigin, answerPreflights } from '../cors.js'
import { authenticateClient } from './client-authentication.js'

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

/** A request to the token endpoint whose client is known. */
interface TokenRequest {
  clientId: string
  /** Reads a parameter; throws an `OAuthError` `invalid_request` for one that is given twice. */
  parameter (name: string): string | undefined
  /** The canonical address that the tokens are to be for; undefined when none is named. */
  resource: string | undefined
}

type Refusal = readonly [code: string, message: string]

const CODE_REFUSALS: Record<CodeRefusal, Refusal> = {
  unknown: ['invalid_grant', 'The code is not one of this client.'],
  reused: ['invalid_grant', 'The code was used before; the connection that came of it was ended.'],
  ended: ['invalid_grant', 'The code has expired.'],
  redirect_uri: ['invalid_grant', 'redirect_uri is another one than that of the authorization request.'],
  code_verifier: ['invalid_grant', 'code_verifier does not fit the challenge of the authorization request.'],
  resource: ['invalid_target', 'resource is another one than that of the authorization request.']
}

const REFRESH_REFUSALS: Record<RefreshRefusal, Refusal> = {
  unknown: ['invalid_grant', 'The refresh token is not one of this client.'],
  reused: ['invalid_grant', 'The refresh token was used long before; the connection was ended.'],
  ended: ['invalid_grant', 'The connection has ended. Connect the application again.'],
  resource: ['invalid_target', 'resource is another one than that of the connection.'],
  scope: ['invalid_scope', `scope has more than was granted: ${READ}.`]
}

// RFC 7636 section 4.1
const VERIFIER = /^[\w.~-]{43,128}$/

/** @throws {OAuthError} when there are no tokens for the code */
const redeemCode = async (
  grants: Pick<OAuthGrants, 'redeem'>, { clientId, parameter, resource }: TokenRequest
): Promise<IssuedTokens> => {
  const code = parameter('code')
  if (code === undefined) throw new OAuthError('invalid_request', 'code is required.')
  const verifier = parameter('code_verifier')
  if (verifier === undefined) throw new OAuthError('invalid_request', 'code_verifier is required.')
  if (!VERIFIER.test(verifier)) throw new OAuthError(...CODE_REFUSALS.code_verifier)
  const outcome = await grants.redeem({ code, clientId, verifier, redirectUri: parameter('redirect_uri'), resource })
  if ('refused' in outcome) throw new OAuthError(...CODE_REFUSALS[outcome.refused])
  return outcome
}

/** @throws {OAuthError} when there are no tokens for the refresh token */
const refreshTokens = async (
  grants: Pick<OAuthGrants, 'refresh'>, { clientId, parameter, resource }: TokenRequest
): Promise<IssuedTokens> => {
  const token = parameter('refresh_token')
  if (token === undefined) throw new OAuthError('invalid_request', 'refresh_token is required.')
  const requestedScopes = parameter('scope')?.split(' ') ?? []
  if (requestedScopes.some((scope) => !['', ...SCOPES, 'offline_access'].includes(scope))) {
    throw new OAuthError('invalid_scope', `scope has more than can be granted: ${SCOPES.join(' ')}.`)
  }
  const outcome = await grants.refresh({ token, clientId, resource, writes: requestedScopes.includes(WRITE) })
  if ('refused' in outcome) throw new OAuthError(...REFRESH_REFUSALS[outcome.refused])
  return outcome
}
