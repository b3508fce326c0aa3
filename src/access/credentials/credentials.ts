/** The port to credentials: create, verify, list, revoke. A store keeps only the SHA-256 of a secret. */
import type { CredentialKind, UserPrincipal, Scope } from '../../lib/principal.js'

/**
 * The result of verifying a secret. `unknown` means wrong, revoked or expired: one reason on purpose, so that a guess
 * learns nothing. `foreign` means that the credential's own tag names another deployment.
 */
export type Verification = { principal: UserPrincipal } | { refused: 'malformed' | 'mistyped' | 'foreign' | 'unknown' }

export const NOUN_OF_KIND: Readonly<Record<CredentialKind, string>> =
  { api_key: 'key', personal_access_token: 'token', connection: 'connection' }

/** The request that a credential came with. */
export interface CredentialUse {
  /** The address of the client, which is kept with the time of the last use. */
  from?: string | undefined
  /** The id of a legacy session: where several servers share the database, the principal says whether it has ended. */
  session?: string | undefined
}

export interface NewCredential {
  /** A user's id or e-mail address. */
  user: string
  name: string
  /** Ids or slugs of workspaces that the user sees; all of these when absent. */
  workspaces?: readonly string[] | undefined
  /** Instead of `workspaces`, ids that were checked before, as those of a credential that this one replaces. */
  workspaceIds?: readonly string[] | null | undefined
  /** Milliseconds from now; for a token one year when absent, for a key none. */
  expiresIn?: number | undefined
  /** Who creates it, for the audit log. */
  by?: string | undefined
}

/** Restricts a token to less than its user may do. */
export interface TokenLimits {
  scope?: Scope | undefined
  /** Ids or slugs; all that the user can see when absent. */
  workspaces?: readonly string[] | undefined
  /** Milliseconds from its creation; one year when absent. */
  expiresIn?: number | undefined
}

export interface NewKey extends NewCredential { scope: Scope }

export interface CreatedKey { id: string, name: string, key: string, scope: Scope, expires_at: string | null }
export interface CreatedToken { id: string, name: string, token: string, expires_at: string }

export interface RefreshedPrincipal extends Pick<UserPrincipal, 'accessToken'> { credential: { id: string } }

export interface Credentials {
  /** Reads the credential, its user and its workspaces in one statement: a change takes effect at the next call. */
  verify (secret: string, request?: CredentialUse): Promise<Verification>
  /** The same for an access token; one for another address than `resource`, where the request came to, is `unknown`. */
  verifyConnection (secret: string, resource: string, request?: CredentialUse): Promise<Verification>
  /** Verifies it again by its id; undefined when it no longer works, or its access token was revoked. */
  refresh (principal: RefreshedPrincipal): Promise<UserPrincipal | undefined>
  createKey (key: NewKey): Promise<CreatedKey>
  createToken (token: NewCredential & TokenLimits): Promise<CreatedToken>
  /** @throws {Refusal} `not_found` for an id or name that no credential has, whether it still works or not */
  requireKnown (credential: string): Promise<void>
  /** Revoking twice keeps the first time. @throws {Refusal} `not_found` when none has that kind and id */
  revoke (kind: CredentialKind, id: string, by?: string): Promise<void>
  /** Writes an audit event for each credential that has expired since the last call. */
  markExpired (): Promise<void>
}

/** The part of `Credentials` that serving requests needs: verify a credential, and revoke one for its holder. */
export type OwnCredentials = Pick<Credentials, 'verify' | 'verifyConnection' | 'refresh' | 'revoke'>
