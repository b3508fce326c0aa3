/** The port to credentials: mint, verify, list, revoke. Only a SHA-256 of a secret is ever stored. */
import type { CredentialKind, Principal, Scope } from '../lib/principal.js'

/**
 * Why a well-delivered secret is refused. Wrong, revoked and expired are one reason on purpose; a credential says itself that it is
 * foreign.
 */
export type Verification = { principal: Principal } | { refused: 'malformed' | 'mistyped' | 'foreign' | 'unknown' }

export interface NewCredential {
  /** A user's id or e-mail address. */
  user: string
  name: string
  /** Milliseconds from now; for a token one year when absent, for a key none. */
  expiresIn?: number | undefined
  /** Who has it made, for the audit log. */
  by?: string | undefined
}

/** What a token may do less than its user. */
export interface TokenLimits {
  scope?: Scope | undefined
  /** Ids or slugs; all that the user can see when absent. */
  workspaces?: readonly string[] | undefined
  /** Milliseconds from when it is made; one year when absent. */
  expiresIn?: number | undefined
}

export interface NewKey extends NewCredential {
  scope: Scope
  /** Ids or slugs; all that the user can see when absent. */
  workspaces?: readonly string[] | undefined
}

export interface CreatedKey { id: string, name: string, key: string, scope: Scope, expires_at: string | null }
export interface CreatedToken { id: string, name: string, token: string, expires_at: string }

/** What lists show: never the secret, never its hash. */
export interface CredentialSummary {
  id: string
  kind: CredentialKind
  name: string
  user: { id: string, email: string }
  hint: string
  scope: Scope
  workspace_ids: string[] | null
  created_at: string
  last_used_at: string | null
  expires_at: string | null
  revoked_at: string | null
}

export interface Credentials {
  /** One statement reads the credential, its user and the workspaces it can see, so that every change works at the next call. */
  verify (secret: string): Promise<Verification>
  /** What a credential that was verified before may do now, by its id; undefined when it no longer works. */
  refresh (id: string): Promise<Principal | undefined>
  createKey (key: NewKey): Promise<CreatedKey>
  createToken (token: NewCredential & TokenLimits): Promise<CreatedToken>
  list (kind: CredentialKind, filter?: { user?: string | undefined }): Promise<CredentialSummary[]>
  /** A `Refusal` when there is none of that id; revoking twice is no error and keeps the first time. */
  revoke (kind: CredentialKind, id: string, by?: string): Promise<CredentialSummary>
  /** Puts on record which credentials have expired since it was last asked. */
  markExpired (): Promise<void>
}

/** What whoever serves does with credentials: see whose they are, and end one for its holder. */
export interface OwnCredentials extends Pick<Credentials, 'verify' | 'refresh'> {
  revoke (kind: CredentialKind, id: string, by?: string): Promise<unknown>
}
