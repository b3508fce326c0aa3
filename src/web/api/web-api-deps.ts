/** The dependencies of the operations of the web application. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ManagementPorts } from '../../administration/management-ports.js'
import type { WebApiStore } from '../../db/planning/sql-web-api.js'
import { capsOf, type Caps, type LimitScope } from '../../access/limits/rate-limit.js'
import { endpointOf, pagesUrlOf } from '../../http/server-address.js'
import type { RateLimitCounter } from '../../access/limits/rate-limit-counter.js'
import { oauthAddresses } from '../../oauth/addresses.js'
import type { AuthorizationServer } from '../../oauth/authorize/authorization-server.js'
import type { AccountDeps } from '../account/account-deps.js'
import type { WebPerson } from '../permissions.js'
import { requireSession } from '../session/request-session.js'
import type { OidcSettings } from '../sign-in/oidc-settings.js'
import type { WebDeps } from '../web-deps.js'
import type { LoopbackRequest } from './credential-check.js'

export interface WebApiDeps extends Pick<
  ManagementPorts,
  'audit' | 'connections' | 'credentials' | 'devices' | 'directory' | 'importRecords' | 'searchIndex' | 'store'
> {
  /**
   * Who is signed in.
   * @throws {Fault} `unauthorized` for nobody
   */
  requirePerson (request: FastifyRequest): WebPerson
  /** What only the pages of the web application read and change. */
  web: WebApiStore
  rateLimitCounter: RateLimitCounter
  /** Requests of one person that are worked on at a time. */
  concurrentCalls: number
  /** The authorization server; absent where OAuth is off. */
  oauth: AuthorizationServer | undefined
  /** The limits of credentials by scope, in requests. */
  caps: Readonly<Record<Exclude<LimitScope, 'address'>, Caps>>
  /** The URL of the MCP endpoint as this request's person reaches it. */
  endpointOf (request: FastifyRequest): string
  /** The URL of the MCP endpoint where people sign in; undefined where the server signs nobody in. */
  oauthEndpointOf (request: FastifyRequest): string | undefined
  /** Sends a request to this server's own MCP endpoint, in this process. */
  inject: LoopbackRequest
  /** Served revisions of the specification. */
  revisions: readonly string[]
  uriScheme: string
  publicUrl: string | undefined
  auditRetentionDays: number | undefined
  /** What the operations on one's own account and on invitations need. */
  account: AccountDeps
  /** How people may sign in, without secrets. */
  signIn (): SignInSettings
  /** What replicas share; absent for a server that is alone. */
  valkey?: { readonly away: boolean } | undefined
  databaseReady?: (() => Promise<boolean>) | undefined
  /** Starts what the first search would wait for; absent where this process does not search. */
  prepareSearch?: (() => void) | undefined
}

export interface SignInSettings {
  passkeys: boolean
  oidc: { name: string, issuer: string, allowed_domains: string[], default_role: string | null } | null
}

/** Collects them from what the web application as a whole is made of. */
export const webApiDeps = (
  app: FastifyInstance, { config, ports, oauth, rateLimitCounter, valkey, databaseReady, prepareSearch }: WebDeps,
  account: AccountDeps, oidc: OidcSettings | undefined
): WebApiDeps => ({
  ...ports,
  web: ports.api,
  requirePerson: requireSession,
  rateLimitCounter,
  concurrentCalls: config.concurrentCalls,
  oauth,
  caps: capsOf(config),
  endpointOf: () => endpointOf(app, config) ?? `${pagesUrlOf(app, config)}/mcp`,
  oauthEndpointOf: () => oauth && oauthAddresses(app, config).resource,
  inject: (request) => app.inject(request),
  revisions: config.revisions,
  uriScheme: config.uriScheme,
  publicUrl: config.publicUrl,
  auditRetentionDays: config.auditRetentionDays,
  account,
  signIn: () => ({
    passkeys: account.relyingParty().isUsable,
    oidc: oidc
      ? {
          name: oidc.name,
          issuer: oidc.issuer.href,
          allowed_domains: [...oidc.allowedDomains],
          default_role: oidc.defaultRole ?? null
        }
      : null
  }),
  valkey,
  databaseReady,
  prepareSearch
})
