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
import { route, tagged } from '../operation.js'

export const signInOperations = tagged('sign-in', {
  'GET /sign-in-options': route('getSignInOptions', 'The ways to sign in here', { response: signInOptions }),
  'GET /session': route('getSession', 'Who is signed in', { response: session }),
  'DELETE /session': route('signOut', 'Sign out', { response: signedOut }),
  'POST /sign-in/link': route('signInByLink', 'Sign in with the token of a link',
    { body: signInToken, response: signedIn }),
  'POST /sign-in/link/lookup': route('lookUpSignInLink', 'Whom the token of a link would sign in',
    { body: signInToken, response: signInLinkLookup }),
  'POST /sign-in/passkey/options': route('getPasskeySignInOptions', 'Begin to sign in with a passkey',
    { response: passkeyRequestOptions }),
  'POST /sign-in/passkey': route('signInByPasskey', 'Sign in with a passkey',
    { body: passkeySignIn, response: signedIn }),
  'POST /invitations/lookup': route('lookUpInvitation', 'What an invitation is for',
    { body: invitationToken, response: invitationLookup }),
  'POST /sign-in/invitation': route('acceptInvitation', 'Accept an invitation, and be signed in',
    { body: invitationAcceptance, response: signedIn })
})
