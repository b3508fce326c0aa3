/**
 * The authenticated caller. Verifying a credential yields it; the rest of the server knows nothing else of the
 * credential.
 */

export type Scope = 'read' | 'read_write' | 'admin'
export type CredentialKind = 'api_key' | 'personal_access_token'

export interface Principal {
  /** A personal access token carries all of its user's permissions, so its scope is `admin`. */
  credential: { id: string, kind: CredentialKind, name: string, scope: Scope, expires_at: string | null }
  user: { id: string, email: string, name: string }
  /** Ids of the workspaces that this credential can see, in no particular order. */
  workspaces: readonly string[]
}

const RANK: Record<Scope, number> = { read: 0, read_write: 1, admin: 2 }

/** Whether a granted scope covers the needed one: `admin` covers `read_write`, which covers `read`. */
export const allows = (granted: Scope, needed: Scope): boolean => RANK[granted] >= RANK[needed]
