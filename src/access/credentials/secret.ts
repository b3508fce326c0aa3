/** Mints the text of credentials, and recognizes them by form before the database is queried. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { StaticCredentialKind } from '../../lib/principal.js'

const PREFIX: Record<StaticCredentialKind, string> = { api_key: 'svc_key_', personal_access_token: 'svc_pat_' }
const HINT_LENGTH = 4

// RFC 4648 section 6
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const KEY = /^svc_key_[A-Z2-7]{40}(?:[A-Z2-7]{6})?$/
const TOKEN = /^svc_pat_[A-Z2-7]{32}$/
/**
 * The form after the prefix, in base32 characters: random, the deployment's tag, a checksum of everything before it. A
 * key has 160 random bits and a checksum of 40 bits. A token has 32 characters in all: 110 random bits, too many to
 * guess, and a checksum of 20 bits.
 */
const TAG_LENGTH = 6
const KEY_RANDOM_LENGTH = 32
const KEY_CHECKSUM_LENGTH = 8
const TOKEN_RANDOM_LENGTH = 22
const TOKEN_CHECKSUM_LENGTH = 4
const TOKEN_BODY_LENGTH = TOKEN_RANDOM_LENGTH + TAG_LENGTH + TOKEN_CHECKSUM_LENGTH
/** Without a tag, and with one. */
const KEY_LENGTHS = [
  PREFIX.api_key.length + KEY_RANDOM_LENGTH + KEY_CHECKSUM_LENGTH,
  PREFIX.api_key.length + KEY_RANDOM_LENGTH + TAG_LENGTH + KEY_CHECKSUM_LENGTH
] as const
const TOKEN_LENGTH = PREFIX.personal_access_token.length + TOKEN_BODY_LENGTH

/**
 * Creates a new secret: random characters, the deployment's tag, and a checksum. A token without a tag has 32 random
 * characters and no checksum, as all older tokens have.
 * @param tag six characters of base32, or empty
 */
export const mint = (kind: StaticCredentialKind, tag = ''): string => {
  const prefix = PREFIX[kind]
  if (kind === 'personal_access_token' && tag === '') return prefix + randomBase32(TOKEN_BODY_LENGTH)
  const [length, checked] = kind === 'api_key'
    ? [KEY_RANDOM_LENGTH, KEY_CHECKSUM_LENGTH]
    : [TOKEN_RANDOM_LENGTH, TOKEN_CHECKSUM_LENGTH]
  const secret = prefix + randomBase32(length) + tag
  return secret + checksum(secret, checked)
}

/**
 * Classifies a text by its form alone. `mistyped` begins like a credential, `malformed` does not. A token with a wrong
 * checksum still counts as a token: it may be an older one without a checksum, which only the database knows.
 */
export const parseTokenKind = (text: string): StaticCredentialKind | 'mistyped' | 'malformed' => {
  if (TOKEN.test(text)) return 'personal_access_token'
  if (KEY.test(text)) return endsInChecksum(text, KEY_CHECKSUM_LENGTH) ? 'api_key' : 'mistyped'
  return text.startsWith(PREFIX.api_key) || text.startsWith(PREFIX.personal_access_token) ? 'mistyped' : 'malformed'
}

/** Whether a text has a valid checksum: a random one passes as a token once in a million, as a key never. */
export const hasChecksum = (text: string): boolean =>
  TOKEN.test(text) ? endsInChecksum(text, TOKEN_CHECKSUM_LENGTH) : parseTokenKind(text) === 'api_key'

/** Returns the deployment tag of a key or token; undefined for older ones without a tag. */
export const tagOf = (secret: string): string | undefined => {
  if (secret.length === KEY_LENGTHS[1]) return secret.slice(-KEY_CHECKSUM_LENGTH - TAG_LENGTH, -KEY_CHECKSUM_LENGTH)
  if (!TOKEN.test(secret) || !hasChecksum(secret)) return undefined
  return secret.slice(-TOKEN_CHECKSUM_LENGTH - TAG_LENGTH, -TOKEN_CHECKSUM_LENGTH)
}

/** Guesses from the form how a text that begins like a credential was damaged. */
export const diagnoseToken = (text: string): 'cut' | 'lengthened' | 'lower_case' | 'mistyped' => {
  const [minLength, maxLength] = text.startsWith(PREFIX.api_key) ? KEY_LENGTHS : [TOKEN_LENGTH, TOKEN_LENGTH]
  if (text.length < minLength) return 'cut'
  if (text.length > maxLength) return 'lengthened'
  if (/[a-z]/.test(text.slice(PREFIX.api_key.length))) return 'lower_case'
  return text.length < maxLength ? 'cut' : 'mistyped'
}

export const displayPrefix = (secret: string): string => secret.slice(0, 8 + HINT_LENGTH)

/** Returns the SHA-256 in hexadecimal. */
export const hashOf = (secret: string): string => hash('sha256', secret)

/** Compares two hashes of one length in constant time. */
export const isSameHash = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** The first `length` characters, eight at most, of the SHA-256 in base32. */
const checksum = (text: string, length: number): string =>
  base32(Buffer.from(hash('sha256', text).slice(0, 10), 'hex')).slice(0, length)

const endsInChecksum = (text: string, length: number): boolean =>
  checksum(text.slice(0, -length), length) === text.slice(-length)

export const randomBase32 = (length: number): string => base32(randomBytes(Math.ceil(length * 5 / 8))).slice(0, length)

const base32 = (bytes: Uint8Array): string => {
  let text = ''
  let bits = 0
  let buffer = 0
  for (const byte of bytes) {
    buffer = (buffer << 8 | byte) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += ALPHABET[buffer >> bits & 31]
    }
  }
  return text
}
