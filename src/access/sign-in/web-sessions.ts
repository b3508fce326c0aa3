/** What is known of a session of the web application. */

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
