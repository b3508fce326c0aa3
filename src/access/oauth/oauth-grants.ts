/** The port to what people granted to applications: authorization codes, and the tokens of connections. */
import type { Scope } from '../../lib/principal.js'
import type { ClientKind } from './oauth-clients.js'

export interface GrantLifetimes {
  codeSeconds: number
  accessTokenSeconds: number
  /** Also how long a connection lasts without a refresh. */
  refreshTokenSeconds: number
  /** How long after its first use a refresh token may be used again. */
  refreshGraceSeconds: number
}

/** What a person allowed. */
export interface NewCode {
  userId: string
  client: { id: string, kind: ClientKind, name: string, host: string | null }
  redirectUri: string
  /** The S256 challenge of PKCE. */
  challenge: string
  /** The address that the tokens are for. */
  resource: string
  scope: Scope
  /** Ids; null for every workspace that the person sees. */
  workspaceIds: readonly string[] | null
  refreshable: boolean
  /** Who allowed it, for the audit log. */
  by: string
}

export interface IssuedTokens {
  accessToken: string
  /** Seconds. */
  expiresIn: number
  refreshToken: string | undefined
  scope: Scope
}

/**
 * Why there are no tokens. `unknown`: no such code or token of this client; `reused`: it was used before, so the
 * connection was ended; `ended`: expired, revoked, or its user is gone; the others name the parameter that is wrong.
 */
export type CodeRefusal = 'unknown' | 'reused' | 'ended' | 'redirect_uri' | 'code_verifier' | 'resource'
export type RefreshRefusal = 'unknown' | 'reused' | 'ended' | 'resource' | 'scope'

export interface CodeRedemption {
  code: string
  clientId: string
  verifier: string
  /** Compared when present. */
  redirectUri: string | undefined
  resource: string | undefined
}

export interface TokenRefresh {
  token: string
  clientId: string
  /** Compared when present. */
  resource: string | undefined
  /** Whether the client asks for the scope to write, which has to have been granted. */
  writes?: boolean | undefined
}

export interface OAuthGrants {
  createCode (code: NewCode): Promise<string>
  /** Makes the connection. A refusal leaves the code as it is; only a second use of a code ends its connection. */
  redeem (redemption: CodeRedemption): Promise<IssuedTokens | { refused: CodeRefusal }>
  /** Issues another pair of tokens. A refusal leaves the token as it is, but for a late second use. */
  refresh (refresh: TokenRefresh): Promise<IssuedTokens | { refused: RefreshRefusal }>
  /** Ends an access token, or by a refresh token its connection; false when the client has no such token. */
  revoke (token: string, clientId: string, by: string): Promise<boolean>
}
