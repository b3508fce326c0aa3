/**
 * What the sign-in page says when a sign-in with the provider failed. The codes are those of `OidcError` on the server.
 */
import type { OidcError } from '../../../sign-in/oidc-error.js'

const SENTENCES: Readonly<Record<OidcError, string>> = {
  oidc_unavailable: 'The provider does not answer. Try again in a minute, or sign in another way.',
  oidc_expired: 'That took longer than ten minutes, or began in another browser. Try again.',
  oidc_denied: 'The sign-in was refused at the provider.',
  oidc_failed: 'The answer of the provider was not valid. Try again; if it stays, tell an administrator: the log of ' +
    'the server has the cause.',
  oidc_email: 'The provider gave no verified e-mail address. Verify yours there, then try again.',
  oidc_not_allowed: 'This account may not sign in here. Ask an administrator to invite you.',
  oidc_busy: 'There were too many attempts from your network. Try again in a minute.'
}

/** The sentence for the code in the page's address; undefined when there is none, or it is not known. */
export const providerError = (search: string): string | undefined => {
  const code = new URLSearchParams(search).get('error')
  return Object.entries(SENTENCES).find(([known]) => known === code)?.[1]
}
