/** The authenticated caller. Verifying a credential yields it; the server knows nothing else of the credential. */

/** The scopes that the engine knows: each covers those before it. A server may have scopes of its own beside them. */
export type Scope = 'read' | 'read_write' | 'admin'
/** A credential that is one secret, which its holder sends with each request. */
export type StaticCredentialKind = 'api_key' | 'personal_access_token'
/** A connection is what a person granted to an application by OAuth; its access tokens change. */
export type CredentialKind = StaticCredentialKind | 'connection'

/** Whether a session has ended, as the statement read it that verified the credential of the same request. */
export interface SessionStatus {
  /** The id that the request named. */
  id: string
  hasEnded: boolean
  /** When it had been read, by `performance.now()`. */
  readAt: number
}

/** The caller as the protocol engine knows it. A server adds its own fields, such as the user and their permissions. */
export interface Principal {
  credential: {
    /** Sessions, tasks, streams and limits belong to the credential with this id. */
    id: string
    /**
     * Decides which tools the caller can list and call: `read`, `read_write`, `admin`, or scopes of the server's own,
     * separated by spaces.
     */
    scope: string
    /** RFC 3339. The credential's streams end then; never when null or absent. */
    expires_at?: string | null | undefined
  }
  /** Of the session that the request names. Absent where it was not read together with the credential. */
  session?: SessionStatus | undefined
}

/** What a workspace lets agents do: each has what the one before it has. */
export type AgentPolicy = 'read' | 'propose' | 'report'

/** What decides in one workspace whether its caller may write there. */
export interface WorkspaceRules {
  agents: AgentPolicy
  /** Of the user there. */
  role: 'viewer' | 'editor' | 'admin'
}

/** The revisions of the workspaces that a caller can see, as the statement read them that verified its credential. */
export interface WorkspaceRevisions {
  /** When they had been read, by `performance.now()`. */
  readAt: number
  /** By the id of the workspace. Two equal ones prove that nothing of the workspace's records changed in between. */
  byWorkspace: ReadonlyMap<string, string>
}

/** One access token of a connection, which may be revoked while the connection remains. */
export interface AccessToken {
  /** SHA-256, in hexadecimal. */
  hash: string
  /** In milliseconds of Unix time. */
  endsAt: number
}

/** The caller of the planning product: the credential, its user, and what it can see. */
export interface UserPrincipal extends Principal {
  /** A personal access token carries all of its user's permissions, so its scope is `admin`. */
  credential: { id: string, kind: CredentialKind, name: string, scope: Scope, expires_at: string | null }
  user: { id: string, email: string, name: string }
  /** Ids of the workspaces that this credential can see, in no particular order. */
  workspaces: readonly string[]
  /** By the id of each visible workspace. Absent at a gateway, where no agent writes. */
  rules?: ReadonlyMap<string, WorkspaceRules> | undefined
  /** Of a connection. Absent for other credentials, and at a gateway. */
  accessToken?: AccessToken | undefined
  /** Absent where no statement of this server verified the credential, as at a gateway. */
  revisions?: WorkspaceRevisions | undefined
}

/**
 * What authentication found out about a request: who calls, or why it is no one. `reason` is one word for programs,
 * `hint` a sentence that tells the user what to do; both are part of the 401 reply.
 */
export type Authentication<P extends Principal = Principal> = { principal: P } | { reason: string, hint: string }

/** Whether granted scopes cover the needed ones. Any but `admin` and `read_write` covers itself alone. */
export const allows = (granted: string, needed: string): boolean => {
  if (granted === needed || granted === 'admin' || needed === '') return true
  const held = granted.split(' ')
  return held.includes('admin') || needed.split(' ').every((scope) =>
    held.includes(scope) || (scope === 'read' && held.includes('read_write')))
}

export const isBuiltInScope = (scope: string): scope is Scope =>
  scope === 'read' || scope === 'read_write' || scope === 'admin'
