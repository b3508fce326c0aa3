/** Why a sign-in with the provider failed, as a code in the address of the sign-in page: both sides use it. */

/**
 * `oidc_unavailable`: the provider does not answer. `oidc_expired`: it took longer than ten minutes, or began in
 * another browser. `oidc_denied`: refused at the provider. `oidc_failed`: the provider's answer is not valid.
 * `oidc_email`: the address is missing or not verified. `oidc_not_allowed`: this address may not sign in here.
 * `oidc_busy`: too many attempts.
 */
export type OidcError =
  | 'oidc_unavailable' | 'oidc_expired' | 'oidc_denied' | 'oidc_failed' | 'oidc_email' | 'oidc_not_allowed'
  | 'oidc_busy'
