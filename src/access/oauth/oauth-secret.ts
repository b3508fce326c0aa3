/** Mints the secrets of OAuth. Only their SHA-256 is stored. */
import { isPrefixed, mintPrefixed } from '../credentials/prefixed-secret.js'

const PREFIX = { access: 'svc_at_', refresh: 'svc_rt_', code: 'svc_code_', client: 'svc_secret_' }

/** What a secret of OAuth is: an access or refresh token, an authorization code, or a client's secret. */
export type OAuthSecretKind = keyof typeof PREFIX

/** Returns a secret such as `svc_at_…`, with 260 random bits. */
export const mintOAuthSecret = (kind: OAuthSecretKind): string => mintPrefixed(PREFIX[kind])

/** Whether a text has the form of such a secret. Anything else needs no look-up. */
export const isOAuthSecret = (kind: OAuthSecretKind, text: string): boolean => isPrefixed(PREFIX[kind], text)

/** Whether a text begins as a token of OAuth does. */
export const beginsAsOAuthToken = (text: string): boolean =>
  text.startsWith(PREFIX.access) || text.startsWith(PREFIX.refresh)
