/** The web application as one Fastify plugin: signing in, the API under /web/v1, and the pages themselves. */
import cookie from '@fastify/cookie'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { answerProblem, answerUnknownRoute } from '../http/problem.js'
import { useSchemas } from '../http/schemas.js'
import { shedLoad } from '../http/load-shedding.js'
import { SERVER } from '../config/server-info.js'
import { pageHandlers } from '../administration/handlers.js'
import type { PageDeps } from '../administration/page-deps.js'
import { endpointOf, pagesUrlOf } from '../http/server-address.js'
import { oauthAddresses } from '../oauth/addresses.js'
import { requireSession } from './session/request-session.js'
import { accountHandlers } from './account/account-handlers.js'
import { pageOperationRoutes } from './operation-routes.js'
import { compressAnswers } from './compress-answers.js'
import { auditDenials } from './audit.js'
import { pageRoutes } from './pages/page-routes.js'
import { guardRequests } from './session/request-guard.js'
import { readSessions } from './session/request-session.js'
import { oidcRoutes } from './sign-in/oidc-routes.js'
import { signInRoutes } from './sign-in/sign-in-routes.js'
import { createSignInWays, type SignInWays } from './sign-in/sign-in-ways.js'
import { authorizeRoute } from './oauth/authorize-route.js'
import type { WebDeps } from './web-deps.js'

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
  const { config, pages, oauth } = deps
  if (pages) pageRoutes(app, config, pages)
  const ways = createSignInWays(app, deps)
  if (oauth) await app.register((scope) => authorizeRoute(scope, deps, oauth))
  oidcRoutes(app, deps, ways)

  await app.register(async (api) => {
    useSchemas(api)
    api.setNotFoundHandler(answerUnknownRoute)
    api.addHook('onRequest', async (_request, reply) => { reply.headers(API_HEADERS) })
    compressAnswers(api)
    await api.register(swagger, {
      openapi: { openapi: '3.1.0', info: { title: `${SERVER.name} web application`, version: '1' } }
    })
    signInRoutes(api, deps, ways)
    pageOperationRoutes(api, deps, {
      ...pageHandlers(pageDeps(app, deps, ways)), ...accountHandlers(deps, ways)
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

/** What the operations of the pages need, from what the web application is made of. */
const pageDeps = (
  app: FastifyInstance, { ports, pages: _pages, secrets: _secrets, ...parts }: WebDeps,
  { hasPasskeys, oidc }: SignInWays
): PageDeps => ({
  ...ports,
  ...parts,
  requireSession,
  findSession: async (request) => {
    const secret = app.sessionCookie.read(request)
    return secret === undefined ? undefined : await ports.sessions.find(secret, false)
  },
  endpoint: () => endpointOf(app, parts.config) ?? `${pagesUrlOf(app, parts.config)}/mcp`,
  oauthEndpoint: () => parts.oauth && oauthAddresses(app, parts.config).resource,
  pages: () => pagesUrlOf(app, parts.config),
  inject: (request) => app.inject(request),
  signIn: () => ({
    passkeys: hasPasskeys(),
    oidc: oidc
      ? {
          name: oidc.settings.name,
          issuer: oidc.settings.issuer.href,
          allowed_domains: [...oidc.settings.allowedDomains],
          default_role: oidc.settings.defaultRole ?? null
        }
      : null
  })
})
