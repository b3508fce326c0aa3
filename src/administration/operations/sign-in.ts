/** Signing in and out. People who are not signed in may use these operations; they are limited by address. */
import invitationAcceptance from '#schemas/web/invitation_acceptance.json' with { type: 'json' }
import invitationLookup from '#schemas/web/invitation_lookup.json' with { type: 'json' }
import invitationToken from '#schemas/web/invitation_token.json' with { type: 'json' }
import passkeyRequestOptions from '#schemas/web/passkey_request_options.json' with { type: 'json' }
import passkeySignIn from '#schemas/web/passkey_sign_in.json' with { type: 'json' }
import session from '#schemas/web/session.json' with { type: 'json' }
import signInLinkLookup from '#schemas/web/sign_in_link_lookup.json' with { type: 'json' }
import signInOptions from '#schemas/web/sign_in_options.json' with { type: 'json' }
import signInToken from '#schemas/web/sign_in_token.json' with { type: 'json' }
import signedIn from '#schemas/web/signed_in.json' with { type: 'json' }
import signedOut from '#schemas/web/signed_out.json' with { type: 'json' }
import { tagged } from '../operation.js'

export const signInOperations = tagged('sign-in', {
  'GET /sign-in-options': {
    id: 'getSignInOptions',
    summary: 'The ways to sign in here',
    response: signInOptions
  },
  'GET /session': {
    id: 'getSession',
    summary: 'Who is signed in',
    response: session
  },
  'DELETE /session': {
    id: 'signOut',
    summary: 'Sign out',
    response: signedOut
  },
  'POST /sign-in/link': {
    id: 'signInByLink',
    summary: 'Sign in with the token of a link',
    body: signInToken,
    response: signedIn
  },
  'POST /sign-in/link/lookup': {
    id: 'lookUpSignInLink',
    summary: 'Whom the token of a link would sign in',
    body: signInToken,
    response: signInLinkLookup
  },
  'POST /sign-in/passkey/options': {
    id: 'getPasskeySignInOptions',
    summary: 'Begin to sign in with a passkey',
    response: passkeyRequestOptions
  },
  'POST /sign-in/passkey': {
    id: 'signInByPasskey',
    summary: 'Sign in with a passkey',
    body: passkeySignIn,
    response: signedIn
  },
  'POST /invitations/lookup': {
    id: 'lookUpInvitation',
    summary: 'What an invitation is for',
    body: invitationToken,
    response: invitationLookup
  },
  'POST /sign-in/invitation': {
    id: 'acceptInvitation',
    summary: 'Accept an invitation, and be signed in',
    body: invitationAcceptance,
    response: signedIn
  }
})
