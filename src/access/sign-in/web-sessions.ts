/** The port to sessions of the web application. A store keeps only the SHA-256 of the cookie's value. */

export type SignInMethod = 'link' | 'passkey' | 'oidc' | 'invitation'

export type Theme = 'system' | 'light' | 'dark'

export interface WebMembership {
  workspace: { id: string, slug: string, name: string }
  role: 'viewer' | 'editor' | 'admin'
}

/** Who is signed in, with the rights of this moment. */
export interface WebSession {
  sessionId: string
  user: { id: string, email: string, name: string }
  serverAdmin: boolean
  /** By the workspace's name. */
  memberships: readonly WebMembership[]
  /** RFC 3339. */
  signedInAt: string
  method: SignInMethod
  preferences: { theme: Theme, timeZone: string | null }
}

export interface NewWebSession {
  userId: string
  method: SignInMethod
  /** The passkey that opened the session: the session ends with it. */
  passkeyId?: string | undefined
  remoteAddress: string
  userAgent: string | undefined
  /** The provider's ID token, which its sign-out asks for. */
  idToken?: string | undefined
}

export interface StartedWebSession {
  /** The cookie's value: 256 random bits in base64url. */
  secret: string
  user: WebSession['user']
  /** Whether this person had never signed in before. */
  first: boolean
}

export interface WebSessionSummary {
  id: string
  created_at: string
  last_seen_at: string
  remote_address: string
  user_agent: string | null
  method: SignInMethod
}

export interface WebSessions {
  /** Starts a session; undefined for someone who is unknown, deactivated or no person. */
  start (session: NewWebSession): Promise<StartedWebSession | undefined>
  /**
   * Who has this cookie; undefined when it is unknown, expired or idle for too long, or its user was deactivated.
   * @param isUse whether the session is in use now, so that it is not idle
   */
  find (secret: string, isUse?: boolean): Promise<WebSession | undefined>
  /** Those that work, most recently seen first. */
  list (userId: string): Promise<WebSessionSummary[]>
  /** Ends a session of this user by its id; false when there is none. */
  end (userId: string, id: string): Promise<boolean>
  /** Ends the session of a cookie. Resolves with its ID token when it had one. */
  signOut (secret: string): Promise<{ userId: string, idToken: string | undefined } | undefined>
  /** Ends all sessions of a user but one; resolves with how many ended. */
  endOthers (userId: string, exceptId: string): Promise<number>
  /** Resolves when what was noted of last requests is written. */
  flush (): Promise<void>
}
