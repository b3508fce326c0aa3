/**
 * Multi round-trip requests without server state: the responses so far travel with the client, encrypted
 * (AES-256-GCM), bound to the caller and the request, and with an expiry time. 2026-07-28 basic/patterns/mrtr
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { InputResponses } from '../../request-context.js'
import { Fault } from '../../../lib/errors.js'
import { parseObject } from '../../../lib/json/json-object.js'
import type { Request } from '../../jsonrpc/message.js'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const LIFE_MS = 3_600_000
const MAX_LENGTH = 256 * 1024

export type RequestStateCodec = ReturnType<typeof requestStateCodec>

/** The first secret encrypts; all of them decrypt. `now` is in milliseconds since the epoch. */
export const requestStateCodec = (
  [secret, ...others]: readonly [string, ...string[]], now: () => number = Date.now
) => {
  const key = keyOf(secret)
  const keys = [key, ...others.map(keyOf)]
  return {
    seal (answered: readonly InputResponses[], request: Request, credential: string): string {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(bound(request, credential))
      const payload = JSON.stringify({ answered, expires: now() + LIFE_MS })
      const sealed = Buffer.concat([cipher.update(payload), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
    },

    /** @throws {Fault} `invalid_params` for a state that was not issued for this request and caller, or has expired */
    open (state: unknown, request: Request, credential: string): InputResponses[] {
      const bytes = Buffer.from(typeof state === 'string' && state.length <= MAX_LENGTH ? state : '', 'base64url')
      const aad = bound(request, credential)
      const payload = keys.map((one) => unseal(bytes, one, aad)).find((found) => found !== undefined)
      if (!payload || payload.expires <= now()) {
        throw new Fault(
          'invalid_params',
          '"params.requestState" is not one that this request was given, or it has expired. Start again without it.'
        )
      }
      return payload.answered
    }
  }
}

const keyOf = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'request state', 32))

const unseal = (
  bytes: Buffer, key: Buffer, aad: Buffer
): { answered: InputResponses[], expires: number } | undefined => {
  if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES)).setAAD(aad)
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
    return parseObject(text.toString('utf8')) as { answered: InputResponses[], expires: number } | undefined
  } catch {
    return undefined
  }
}

/** What the state is bound to: the credential, the method, and its parameters without those of the rounds. */
const bound = ({ method, params }: Request, credential: string): Buffer => {
  const { _meta, inputResponses, requestState, ...rest } = params
  return createHash('sha256').update(JSON.stringify([credential, method, sorted(rest)])).digest()
}

/** Returns the same structure for objects that differ only in the order of their keys. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .sort(([one], [other]) => one < other ? -1 : 1)
    .map(([key, inner]) => [key, sorted(inner)])
}
