/** Mints the secrets of OAuth. Only their SHA-256 is stored. */
import { randomBase32 } from './secret.js'

// 52 characters of base32 have 260 bits.
const LENGTH = 52
const FORMS = {
  access: /^svc_at_[A-Z2-7]{52}$/,
  refresh: /^svc_rt_[A-Z2-7]{52}$/,
  code: /^svc_code_[A-Z2-7]{52}$/,
  client: /^svc_secret_[A-Z2-7]{52}$/
}
const PREFIX = { access: 'svc_at_', refresh: 'svc_rt_', code: 'svc_code_', client: 'svc_secret_' }

/** What a secret of OAuth is: an access or refresh token, an authorization code, or a client's secret. */
export type OAuthSecretKind = keyof typeof FORMS

/** Returns a secret such as `svc_at_…`, with 260 random bits. */
export const mintOAuthSecret = (kind: OAuthSecretKind): string => PREFIX[kind] + randomBase32(LENGTH)

/** Whether a text has the form of such a secret. Anything else needs no look-up. */
export const isOAuthSecret = (kind: OAuthSecretKind, text: string): boolean => FORMS[kind].test(text)

/** Whether a text begins as a token of OAuth does. */
export const beginsAsOAuthToken = (text: string): boolean =>
  text.startsWith(PREFIX.access) || text.startsWith(PREFIX.refresh)
