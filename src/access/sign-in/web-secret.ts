/** Mints the secrets of the web application. Only their SHA-256 is stored. */
import { createHash, randomBytes } from 'node:crypto'
import { isPrefixed, mintPrefixed } from '../credentials/prefixed-secret.js'

const SECRET_BYTES = 32
const SESSION = /^[\w-]{43}$/
const PREFIX = { link: 'svc_link_', invite: 'svc_invite_' }

/** What a token is for: signing in once, or accepting an invitation. Logs recognise tokens by it. */
export type TokenUse = keyof typeof PREFIX

/** Returns 256 random bits in base64url: the value of a session's cookie. */
export const mintSessionSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/** Whether a cookie's value has the form of a session's secret; anything else needs no look-up. */
export const isSessionSecret = (text: string): boolean => SESSION.test(text)

/** Returns a token such as `svc_link_…`, with 260 random bits. */
export const mintToken = (use: TokenUse): string => mintPrefixed(PREFIX[use])

/** Whether a text has the form of a token for this use. */
export const isToken = (use: TokenUse, text: string): boolean => isPrefixed(PREFIX[use], text)

/** Returns the SHA-256 that a store keeps of a secret. */
export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
