/** Collects what the operations of the pages need from what the web application is made of. */
import type { FastifyInstance } from 'fastify'
import type { PageDeps } from '../administration/page-deps.js'
import { endpointOf, pagesUrlOf } from '../http/server-address.js'
import { oauthAddresses } from '../oauth/addresses.js'
import { requireSession } from './session/request-session.js'
import type { SignInWays } from './sign-in/sign-in-ways.js'
import type { WebDeps } from './web-deps.js'

export const pageDeps = (
  app: FastifyInstance, { ports, pages: _, ...parts }: WebDeps, { hasPasskeys, oidc }: SignInWays
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
