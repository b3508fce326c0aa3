/** The operations of signing in, which need no session. */
import { requestJson } from './request.js'
import type { SignedIn } from './session.js'

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

/** Whether somebody is signed in in this browser. */
export const isSignedIn = (): Promise<boolean> =>
  requestJson('GET', '/session', { publicRequest }).then(() => true, () => false)
