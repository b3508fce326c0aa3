/** Secrets such as `svc_link_…`: a prefix that says what they are, and 260 random bits. */
import { randomBase32 } from './secret.js'

// 52 characters of base32 have 260 bits.
const LENGTH = 52
const RANDOM = new RegExp(`^[A-Z2-7]{${LENGTH}}$`)

/** Returns a new secret that begins with `prefix`. */
export const mintPrefixed = (prefix: string): string => prefix + randomBase32(LENGTH)

/** Whether a text has the form of a secret that begins with `prefix`. Anything else needs no look-up. */
export const isPrefixed = (prefix: string, text: string): boolean =>
  text.startsWith(prefix) && RANDOM.test(text.slice(prefix.length))
