/** What the web application is made of: the ports that the management API has, and those of signing in. */
import type { ManagementPorts } from '../administration/ports.js'
import type { OnDenial } from '../access/audit/audit-refusals.js'
import type { Accounts } from '../db/people/sql-accounts.js'
import type { Invitations } from '../db/people/sql-invitations.js'
import type { OAuthGrants } from '../access/oauth/oauth-grants.js'
import type { OidcIdentities } from '../db/sign-in/sql-oidc-identities.js'
import type { Passkeys } from '../db/sign-in/sql-passkeys.js'
import type { WebSessions } from '../db/sign-in/sql-web-sessions.js'
import type { Config } from '../config/config.js'
import type { AddressLimits } from '../access/limits/ip-rate-limit.js'
import type { RateLimitCounter } from '../access/limits/rate-limit-counter.js'
import type { OriginGuard } from '../lib/http/origin-guard.js'
import type { ChangeFeed } from '../planning/change-feed.js'
import type { AuthorizationServer } from '../oauth/authorize/authorization-server.js'
import type { Pages } from './pages/pages.js'

export interface WebPorts extends ManagementPorts {
  sessions: WebSessions
  passkeys: Passkeys
  invitations: Invitations
  accounts: Accounts
  oidcIdentities: OidcIdentities
  oauthGrants: OAuthGrants
  /** Deletes what signing in and OAuth left behind; a bounded number of rows. */
  deleteExpired (): Promise<void>
}

export interface WebDeps {
  config: Config
  ports: WebPorts
  /** Sign what browsers bring back: with the first, and all are accepted. The same on every replica. */
  secrets: readonly string[]
  origin: OriginGuard
  /** The pages themselves; undefined where they were not built: then there is only the API. */
  pages: Pages | undefined
  /** The authorization server of OAuth; absent where that is off. */
  oauth?: AuthorizationServer | undefined
  /** Limits of addresses, counted by all replicas together. */
  limits: AddressLimits
  /** The same counts, to read. */
  rateLimitCounter: RateLimitCounter
  /** What replicas share; absent for a server that is alone. */
  valkey?: { readonly away: boolean } | undefined
  feed: Pick<ChangeFeed, 'position' | 'follow'>
  databaseReady?: (() => Promise<boolean>) | undefined
  /** Starts what the first search would wait for; absent where this process does not search. */
  prepareSearch?: (() => void) | undefined
  /** Receives an audit event for each rejected request and each wrong link, passkey or invitation. */
  onDenial: OnDenial
}
