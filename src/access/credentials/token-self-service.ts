/**
 * Routes for the holder of a credential: read whose it is, and revoke it (RFC 7009). A credential cannot renew itself,
 * so a stolen one still expires. Requests are counted by address, like guesses.
 */
import type { FastifyInstance } from 'fastify'
import type { OwnCredentials } from './credentials.js'
import { refusalEvent } from '../audit/audit-refusals.js'
import { authenticate } from '../authenticate.js'
import { challenge } from '../limits/challenge.js'
import { clientAddress } from '../../lib/http/client-address.js'
import { OAuthError, parametersOf, readForms } from '../oauth/oauth-error.js'
import { limitAddress, openRoutes, type OpenRoutesDeps } from '../oauth/open-routes.js'

export interface TokenSelfServiceDeps extends OpenRoutesDeps {
  credentials: Pick<OwnCredentials, 'verify' | 'revoke'>
}

const BODY_LIMIT_BYTES = 4096

/** Fastify plugin: `GET /api/v1/token` says whose credential it is, `POST /api/v1/revoke` revokes one. */
export const tokenSelfService = async (
  app: FastifyInstance, { config, credentials, origin, limits, onDenial }: TokenSelfServiceDeps
): Promise<void> => {
  openRoutes(app, { onDenial })
  app.addHook('onRequest', async (request) => { origin.check(request) })
  app.addHook('onRequest', limitAddress(limits, 'own-token', config.failedAuthPerMinute))
  readForms(app)

  const verify = authenticate(credentials)
  app.get('/api/v1/token', async (request, reply) => {
    const caller = await verify(request, reply)
    if (!('principal' in caller)) {
      // RFC 6750 section 3
      reply.header('www-authenticate', challenge(caller.reason !== 'missing'))
      throw new OAuthError('invalid_token', caller.hint, 401)
    }
    const { credential, user, workspaces } = caller.principal
    return { ...credential, user, workspaces: workspaces.length }
  })

  // RFC 7009 section 2.2: an unknown or revoked token gets the same reply as a valid one.
  app.post('/api/v1/revoke', { bodyLimit: BODY_LIMIT_BYTES }, async (request) => {
    const token = parametersOf(request.body)('token')
    if (token === undefined) throw new OAuthError('invalid_request', 'token is required.')
    const verified = await credentials.verify(token)
    if ('principal' in verified) {
      const { kind, id } = verified.principal.credential
      await credentials.revoke(kind, id, `its holder, from ${clientAddress(request.ip)}`)
    } else {
      onDenial(refusalEvent('unauthorized', request))
    }
    return {}
  })
}
