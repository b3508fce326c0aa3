/** What the web application is made of: the ports that the management API has, and those of signing in. */
import type { ServerParts } from '../administration/page-deps.js'
import type { ManagementPorts } from '../administration/ports.js'
import type { OnDenial } from '../access/audit/audit-refusals.js'
import type { Accounts } from '../db/people/sql-accounts.js'
import type { Invitations } from '../db/people/sql-invitations.js'
import type { OAuthGrants } from '../access/oauth/oauth-grants.js'
import type { OidcIdentities } from '../db/sign-in/sql-oidc-identities.js'
import type { Passkeys } from '../db/sign-in/sql-passkeys.js'
import type { WebSessions } from '../db/sign-in/sql-web-sessions.js'
import type { AddressLimits } from '../access/limits/ip-rate-limit.js'
import type { OriginGuard } from '../lib/http/origin-guard.js'
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

export interface WebDeps extends ServerParts {
  ports: WebPorts
  /** Sign what browsers bring back: with the first, and all are accepted. The same on every replica. */
  secrets: readonly string[]
  origin: OriginGuard
  /** The pages themselves; undefined where they were not built: then there is only the API. */
  pages: Pages | undefined
  /** Limits of addresses, counted by all replicas together. */
  limits: AddressLimits
  /** Receives an audit event for each rejected request and each wrong link, passkey or invitation. */
  onDenial: OnDenial
}
