/** The authorization endpoint. It needs to know who is signed in, so it belongs to the web application. */
import type { FastifyInstance } from 'fastify'
import { Fault } from '../../lib/errors.js'
import { publicPathOf } from '../../http/public-path.js'
import { OAUTH_PATH } from '../../oauth/addresses.js'
import type { AuthorizationServer } from '../../oauth/authorize/authorization-server.js'
import { signInPath } from '../page-paths.js'
import { localhostAddress } from '../pages/localhost-address.js'
import type { WebDeps } from '../web-deps.js'

/** The page that asks, and the one that says what is wrong. */
const CONSENT_PATH = '/oauth/consent'

/** Of one address. */
const REQUESTS_PER_MINUTE = 120

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer'
}

/** Adds the route. Nothing is looked up, and nothing fetched, for someone who is not signed in. */
export const authorizeRoute = async (
  app: FastifyInstance, { config, limits }: Pick<WebDeps, 'config' | 'limits'>, oauth: AuthorizationServer
): Promise<void> => {
  const count = limits('oauth-authorize', REQUESTS_PER_MINUTE)
  const basePath = publicPathOf(config)
  app.get(`${OAUTH_PATH}/authorize`, { exposeHeadRoute: false }, async (request, reply) => {
    reply.headers(HEADERS)
    const local = config.publicUrl === undefined ? localhostAddress(request) : undefined
    if (local !== undefined) return reply.redirect(local, 307)
    const seconds = await count(request, reply)
    if (seconds !== undefined) {
      throw new Fault('rate_limited', `Too many requests from this address. Try again in ${seconds} seconds.`)
    }
    const { web, url } = request
    if (!web) return reply.redirect(basePath + signInPath(url), 303)
    const query = url.slice(url.indexOf('?') + 1)
    const answer = await oauth.authorize(url.includes('?') ? query : '', web.sessionId)
    if ('redirectTo' in answer) return reply.redirect(answer.redirectTo, 303)
    const error = answer.page === 'error' ? `error=${encodeURIComponent(answer.code)}&` : ''
    return reply.redirect(`${basePath}${CONSENT_PATH}?${error}ticket=${answer.ticket}`, 303)
  })
}
