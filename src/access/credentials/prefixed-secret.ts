/** Secrets of sign-in and OAuth, such as `svc_link_…`. Only their SHA-256 is stored. */
import { createHash, randomBytes } from 'node:crypto'
import { randomBase32 } from './secret.js'

/** By what each begins, for logs to recognise it: for signing in once, accepting an invitation, and of OAuth. */
const PREFIX = {
  link: 'svc_link_',
  invite: 'svc_invite_',
  access: 'svc_at_',
  refresh: 'svc_rt_',
  code: 'svc_code_',
  client: 'svc_secret_'
}
type SecretUse = keyof typeof PREFIX

// 52 characters of base32 have 260 bits.
const LENGTH = 52
const RANDOM = new RegExp(`^[A-Z2-7]{${LENGTH}}$`)

export const mintSecret = (use: SecretUse): string => PREFIX[use] + randomBase32(LENGTH)

/** Whether a text has the form of a secret for this use. Anything else needs no look-up. */
export const isSecret = (use: SecretUse, text: string): boolean =>
  text.startsWith(PREFIX[use]) && RANDOM.test(text.slice(PREFIX[use].length))

export const beginsAsOAuthToken = (text: string): boolean =>
  text.startsWith(PREFIX.access) || text.startsWith(PREFIX.refresh)

/** Returns 256 random bits in base64url: the value of a session's cookie. */
export const mintSessionSecret = (): string => randomBytes(32).toString('base64url')

export const isSessionSecret = (text: string): boolean => /^[\w-]{43}$/.test(text)

export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
