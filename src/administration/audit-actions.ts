/** Actions of the audit log that a starting server records too. */

/** A service account has `service_account/created`, which the database writes. */
export const USER_CREATED = 'user/created'
export const SIGN_IN_LINK_CREATED = 'sign_in_link/created'
