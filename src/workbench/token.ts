/** The credential of clients under test. */
import { randomBytes } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Creates a random token of the form that this server's redaction knows. It is worth nothing elsewhere. */
export const createTestToken = (): string =>
  `svc_key_${[...randomBytes(32)].map((byte) => ALPHABET[byte % 32]).join('')}`
