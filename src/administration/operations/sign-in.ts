/** Signing in and out. People who are not signed in may use these operations; they are limited by address. */
import shapes from '#schemas/operations/sign-in.json' with { type: 'json' }
import { route, tagged } from '../operation.js'

export const signInOperations = tagged('sign-in', {
  'GET /sign-in-options': route('getSignInOptions', 'The ways to sign in here', { response: shapes.signInOptions }),
  'GET /session': route('getSession', 'Who is signed in', { response: shapes.session }),
  'DELETE /session': route('signOut', 'Sign out', { response: shapes.signedOut }),
  'POST /sign-in/link': route('signInByLink', 'Sign in with the token of a link',
    { body: shapes.signInToken, response: shapes.signedIn }),
  'POST /sign-in/link/lookup': route('lookUpSignInLink', 'Whom the token of a link would sign in',
    { body: shapes.signInToken, response: shapes.signInLinkLookup }),
  'POST /sign-in/passkey/options': route('getPasskeySignInOptions', 'Begin to sign in with a passkey',
    { response: shapes.passkeyRequestOptions }),
  'POST /sign-in/passkey': route('signInByPasskey', 'Sign in with a passkey',
    { body: shapes.passkeySignIn, response: shapes.signedIn }),
  'POST /invitations/lookup': route('lookUpInvitation', 'What an invitation is for',
    { body: shapes.invitationToken, response: shapes.invitationLookup }),
  'POST /sign-in/invitation': route('acceptInvitation', 'Accept an invitation, and be signed in',
    { body: shapes.invitationAcceptance, response: shapes.signedIn })
})
