/** The web application as one Fastify plugin: signing in, the API under /web/v1, and the pages themselves. */
import cookie from '@fastify/cookie'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { answerProblem, answerUnknownRoute } from '../http/problem.js'
import { useSchemas } from '../http/schemas.js'
import { pagesUrlOf } from '../http/server-address.js'
import { shedLoad } from '../http/load-shedding.js'
import { SERVER } from '../config/server-info.js'
import { pageHandlers } from '../administration/handlers.js'
import { accountHandlers } from './account/account-handlers.js'
import { pageOperationRoutes } from './operation-routes.js'
import { compressAnswers } from './compress-answers.js'
import { pageDeps } from './page-deps.js'
import { auditDenials } from './audit.js'
import { pageRoutes } from './pages/page-routes.js'
import { guardRequests } from './session/request-guard.js'
import { readSessions } from './session/request-session.js'
import { createOidcClient } from './sign-in/oidc-client.js'
import { oidcRoutes } from './sign-in/oidc-routes.js'
import { readOidcSettings } from './sign-in/oidc-settings.js'
import { createPasskeyVerifier } from './sign-in/passkey-verifier.js'
import { relyingPartyOf, type RelyingParty } from './sign-in/relying-party.js'
import { signInLimit } from './sign-in/sign-in-limit.js'
import { signInRoutes } from './sign-in/sign-in-routes.js'
import { authorizeRoute } from './oauth/authorize-route.js'
import type { WebDeps } from './web-deps.js'

/** The prefix of the operations that pages call. */
const WEB_PREFIX = '/web/v1'

/**
 * Fastify plugin. In its whole scope each request is checked (host, origin, the header of unsafe methods) and
 * `request.web` holds who is signed in; routes with `config: { session: false }`, such as assets, read no session.
 */
export const webRoutes = async (app: FastifyInstance, deps: WebDeps): Promise<void> => {
  app.setErrorHandler(answerProblem)
  await shedLoad(app, deps.config.overloadDelayMs)
  await app.register(cookie)
  guardRequests(app, deps)
  readSessions(app, deps)
  auditDenials(app, deps.onDenial)
  const countSignIn = signInLimit(deps)
  const { config, pages } = deps
  if (pages) pageRoutes(app, { config, pages, personOf: ({ web }) => web })
  const relyingParty = (): RelyingParty => relyingPartyOf(deps.config.publicUrl, pagesUrlOf(app, deps.config))
  const verifier = createPasskeyVerifier({
    rpId: relyingParty().id,
    rpName: SERVER.name,
    secrets: deps.secrets,
    passkeys: deps.ports.passkeys,
    onFailure: (error) => app.log.info({ err: error }, 'a passkey was refused')
  })

  const settings = readOidcSettings(config)
  const oidc = settings && { settings, client: createOidcClient(settings) }
  const { oauth } = deps
  if (oauth) await app.register((scope) => authorizeRoute(scope, deps, oauth))
  if (oidc) oidcRoutes(app, { ...deps, ...oidc, countSignIn })

  await app.register(async (api) => {
    useSchemas(api)
    api.setNotFoundHandler(answerUnknownRoute)
    api.addHook('onRequest', async (_request, reply) => { reply.headers(API_HEADERS) })
    compressAnswers(api)
    await api.register(swagger, {
      openapi: { openapi: '3.1.0', info: { title: `${SERVER.name} web application`, version: '1' } }
    })
    signInRoutes(api, deps, { verifier, relyingParty, oidc, countSignIn })
    pageOperationRoutes(api, deps, {
      ...pageHandlers(pageDeps(app, deps, relyingParty, settings)),
      ...accountHandlers({ ...deps, verifier, relyingParty })
    })
    api.get('/openapi.json', { schema: { hide: true }, config: { session: false } }, async () => api.swagger())
  }, { prefix: WEB_PREFIX })
}

// No reply of the API is a page, is stored, or may be embedded.
const API_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin'
}
