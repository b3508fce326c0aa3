/**
 * Challenges for passkeys. A challenge carries its expiry and a signature, so that asking for one writes nothing:
 * no one can fill the database without signing in. Which were used is kept in the database, so that each works once
 * over all replicas.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Passkeys } from '../../db/sign-in/sql-passkeys.js'

const LIFETIME_MS = 5 * 60_000
const RANDOM_BYTES = 16
const TIME_BYTES = 6
const SIGNED_BYTES = RANDOM_BYTES + TIME_BYTES
const SIGNATURE_BYTES = 32

export interface PasskeyChallenges {
  /** Returns a challenge. `purpose` says what for and for whom: it works for nothing else. */
  issue (purpose: string): Uint8Array<ArrayBuffer>
  /** Uses up a challenge in base64url. False when it is forged, expired, of another purpose, or was used. */
  use (challenge: string, purpose: string): Promise<boolean>
}

/**
 * Creates the challenges.
 * @param secrets signs with the first, accepts all
 */
export const createPasskeyChallenges = (
  secrets: readonly string[], passkeys: Pick<Passkeys, 'useChallenge'>
): PasskeyChallenges => {
  const keys = secrets.map((secret) => createHmac('sha256', secret).update('passkey challenge').digest())
  const [first] = keys
  if (first === undefined) throw new Error('challenges need a secret')

  return {
    issue (purpose) {
      const expires = Buffer.alloc(TIME_BYTES)
      expires.writeUIntBE(Date.now() + LIFETIME_MS, 0, TIME_BYTES)
      const signedBytes = Buffer.concat([randomBytes(RANDOM_BYTES), expires])
      return new Uint8Array(Buffer.concat([signedBytes, signatureOf(first, signedBytes, purpose)]))
    },

    async use (challenge, purpose) {
      const bytes = Buffer.from(challenge, 'base64url')
      if (bytes.length !== SIGNED_BYTES + SIGNATURE_BYTES) return false
      const signedBytes = bytes.subarray(0, SIGNED_BYTES)
      const signature = bytes.subarray(SIGNED_BYTES)
      if (!keys.some((key) => timingSafeEqual(signatureOf(key, signedBytes, purpose), signature))) return false
      const expires = signedBytes.readUIntBE(RANDOM_BYTES, TIME_BYTES)
      return expires > Date.now() && await passkeys.useChallenge(bytes, new Date(expires))
    }
  }
}

const signatureOf = (key: Buffer, signedBytes: Buffer, purpose: string): Buffer =>
  createHmac('sha256', key).update(signedBytes).update(purpose).digest()
