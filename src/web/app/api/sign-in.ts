/** The operations of signing in, which need no session. */
import { requestJson } from './request.js'
import type { SessionInfo, SignedIn } from './answers.js'

export interface SignInOptions {
  passkeys: boolean
  oidc: { name: string, start_url: string } | null
  /** Prints a link to sign in with, on the machine of the server. */
  link_command: string
}

export interface InvitationPreview {
  email: string
  invited_by: string | null
  expires_at: string
  workspaces: ReadonlyArray<{ name: string, role: 'viewer' | 'editor' | 'admin' }>
}

const publicRequest = true

/** Which ways there are. @throws {RequestError} */
export const getSignInOptions = async (): Promise<SignInOptions> =>
  await requestJson('GET', '/sign-in-options', { publicRequest })

/** Signs in with the token of a link, which works once. @throws {RequestError} */
export const signInWithLink = async (token: string): Promise<SignedIn> =>
  await requestJson('POST', '/sign-in/link', { body: { token }, publicRequest })

/** Who invites, without accepting. @throws {RequestError} */
export const lookUpInvitation = async (token: string): Promise<InvitationPreview> =>
  await requestJson('POST', '/invitations/lookup', { body: { token }, publicRequest })

/** Accepts an invitation, and signs in. @throws {RequestError} */
export const acceptInvitation = async (token: string, name: string): Promise<SignedIn> =>
  await requestJson('POST', '/sign-in/invitation', { body: { token, name }, publicRequest })

/** Whom a link would sign in, without using it up. @throws {RequestError} 401 for one that does not work */
export const lookUpLink = async (token: string): Promise<Pick<SignedIn, 'user'>> =>
  await requestJson('POST', '/sign-in/link/lookup', { body: { token }, publicRequest })

/** Who is signed in in this browser; undefined without a session. */
export const currentUser = (): Promise<SessionInfo['user'] | undefined> =>
  requestJson<SessionInfo>('GET', '/session', { publicRequest }).then(({ user }) => user, () => undefined)
