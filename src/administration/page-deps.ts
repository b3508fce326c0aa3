/** What the operations of the pages need. */
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/config.js'
import type { Invitations } from '../db/people/sql-invitations.js'
import type { WebSession } from '../access/sign-in/web-sessions.js'
import type { RateLimitCounter } from '../access/limits/rate-limit-counter.js'
import type { ChangeFeed } from '../planning/change-feed.js'
import type { AuthorizationServer } from '../oauth/authorize/authorization-server.js'
import type { LoopbackRequest } from './credential-check.js'
import type { ResponseOf } from './operation.js'
import type { PageOperations } from './operations.js'
import type { ManagementPorts } from './ports.js'

/** What the server gives to its web application, and that to its operations. */
export interface ServerParts {
  config: Config
  feed: Pick<ChangeFeed, 'position' | 'follow'>
  rateLimitCounter: RateLimitCounter
  /** The authorization server; absent where OAuth is off. */
  oauth: AuthorizationServer | undefined
  /** What replicas share; absent for a server that is alone. */
  valkey?: { readonly away: boolean } | undefined
  databaseReady?: (() => Promise<boolean>) | undefined
  /** Starts what the first search would wait for; absent where this process does not search. */
  prepareSearch?: (() => void) | undefined
}

export interface PageDeps extends ManagementPorts, ServerParts {
  /** Who is signed in. @throws {Fault} `unauthorized` without a session */
  requireSession (request: FastifyRequest): WebSession
  /** The same afresh, for a request that stays open; undefined when no one is signed in any more. */
  findSession (request: FastifyRequest): Promise<WebSession | undefined>
  invitations: Invitations
  endpoint (): string
  /** The URL of the MCP endpoint where people sign in; undefined where the server signs no one in. */
  oauthEndpoint (): string | undefined
  pages: () => string
  inject: LoopbackRequest
  signIn (): ResponseOf<PageOperations['GET /admin/status']>['sign_in']
}
