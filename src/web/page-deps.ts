/** Collects what the operations of the pages need from what the web application is made of. */
import type { FastifyInstance } from 'fastify'
import type { PageDeps } from '../administration/page-deps.js'
import { capsOf } from '../access/limits/rate-limit.js'
import { endpointOf, pagesUrlOf } from '../http/server-address.js'
import { oauthAddresses } from '../oauth/addresses.js'
import { requireSession } from './session/request-session.js'
import type { SignInWays } from './sign-in/sign-in-ways.js'
import type { WebDeps } from './web-deps.js'

export const pageDeps = (
  app: FastifyInstance,
  { config, ports, oauth, rateLimitCounter, feed, valkey, databaseReady, prepareSearch }: WebDeps,
  { hasPasskeys, oidc }: SignInWays
): PageDeps => ({
  ...ports,
  requireSession,
  findSession: async (request) => {
    const secret = app.sessionCookie.read(request)
    return secret === undefined ? undefined : await ports.sessions.find(secret, false)
  },
  feed,
  rateLimitCounter,
  oauth,
  caps: capsOf(config),
  endpointOf: () => endpointOf(app, config) ?? `${pagesUrlOf(app, config)}/mcp`,
  oauthEndpointOf: () => oauth && oauthAddresses(app, config).resource,
  pagesUrl: () => pagesUrlOf(app, config),
  inject: (request) => app.inject(request),
  revisions: config.revisions,
  uriScheme: config.uriScheme,
  publicUrl: config.publicUrl,
  auditRetentionDays: config.auditRetentionDays,
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
  }),
  valkey,
  databaseReady,
  prepareSearch
})
