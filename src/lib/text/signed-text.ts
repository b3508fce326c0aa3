/** Signs texts that a client carries and brings back (HMAC-SHA-256), so that they need no place in the database. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface TextSigner {
  /** Returns the text in base64url, a full stop and the signature. */
  sign (text: string): string
  /** Returns the text; undefined when it was signed for another purpose, with another secret, or was changed. */
  open (signed: string): string | undefined
}

/**
 * @param purpose separates what is signed here from everything else that is signed with these secrets
 * @param secrets signs with the first one, and accepts all: the others are those of before a change
 */
export const createTextSigner = (purpose: string, secrets: readonly string[]): TextSigner => {
  const keys = secrets.map((secret) => createHmac('sha256', secret).update(purpose).digest())
  const [first] = keys
  if (first === undefined) throw new Error('a signer needs a secret')

  return {
    sign (text) {
      const payload = Buffer.from(text).toString('base64url')
      return `${payload}.${signatureOf(first, payload)}`
    },

    open (signed) {
      const [payload = '', signature = '', ...rest] = signed.split('.')
      if (rest.length > 0 || !keys.some((key) => isSame(signatureOf(key, payload), signature))) return undefined
      return Buffer.from(payload, 'base64url').toString()
    }
  }
}

const signatureOf = (key: Buffer, payload: string): string =>
  createHmac('sha256', key).update(payload).digest('base64url')

/** Compares two texts in a time that says nothing about where they differ. */
export const isSame = (expected: string, given: string): boolean => {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
