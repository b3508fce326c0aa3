/** The text of a credential: minted here, and recognised before the database is asked. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { CredentialKind } from '../principal.js'

const PREFIX: Record<CredentialKind, string> = { api_key: 'svc_key_', personal_access_token: 'svc_pat_' }
const RANDOM_BYTES = 20 // 160 bits, 32 base32 characters
const CHECKSUM_LENGTH = 8
const HINT_LENGTH = 4

// RFC 4648 section 6
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const KEY = /^svc_key_[A-Z2-7]{40}(?:[A-Z2-7]{6})?$/
const TOKEN = /^svc_pat_[A-Z2-7]{32}$/
// Random characters, the deployment's tag where there is one, the checksum.
const TAG_LENGTH = 6
const KEY_LENGTHS = [40, 40 + TAG_LENGTH].map((length) => PREFIX.api_key.length + length)
const TOKEN_LENGTH = 40

/** A key ends in the tag of its deployment and a checksum of what precedes; a token is its 32 random characters and nothing else. */
export const mint = (kind: CredentialKind, tag = ''): string => {
  const secret = PREFIX[kind] + base32(randomBytes(RANDOM_BYTES)) + (kind === 'api_key' ? tag : '')
  return kind === 'api_key' ? secret + checksum(secret) : secret
}

/** What a text could be, by its form alone. */
export const recognise = (text: string): CredentialKind | 'mistyped' | 'malformed' => {
  if (TOKEN.test(text)) return 'personal_access_token'
  if (KEY.test(text)) return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH) ? 'api_key' : 'mistyped'
  return text.startsWith(PREFIX.api_key) || text.startsWith(PREFIX.personal_access_token) ? 'mistyped' : 'malformed'
}

/** Which deployment a key says it is of; tokens and older keys do not say. */
export const tagOf = (key: string): string | undefined =>
  key.length === KEY_LENGTHS[1] ? key.slice(-CHECKSUM_LENGTH - TAG_LENGTH, -CHECKSUM_LENGTH) : undefined

/** What happened on the way to a text that begins like a credential but is none, as far as its form tells. */
export const damageTo = (text: string): 'cut' | 'lengthened' | 'lower_case' | 'mistyped' => {
  const [least, most] = text.startsWith(PREFIX.api_key) ? [KEY_LENGTHS[0]!, KEY_LENGTHS[1]!] : [TOKEN_LENGTH, TOKEN_LENGTH]
  if (text.length < least) return 'cut'
  if (text.length > most) return 'lengthened'
  if (/[a-z]/.test(text.slice(PREFIX.api_key.length))) return 'lower_case'
  return text.length < most ? 'cut' : 'mistyped'
}

/** The first characters, for lists. */
export const hintOf = (secret: string): string => secret.slice(0, 8 + HINT_LENGTH)

/** SHA-256 in hexadecimal. */
export const hashOf = (secret: string): string => hash('sha256', secret)

/** Takes the same time for any two hashes. */
export const isSameHash = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other))

const checksum = (text: string): string => base32(Buffer.from(hash('sha256', text).slice(0, 10), 'hex')).slice(0, CHECKSUM_LENGTH)

const base32 = (bytes: Uint8Array): string => {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8 | byte) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += ALPHABET[held >> bits & 31]
    }
  }
  return text
}
