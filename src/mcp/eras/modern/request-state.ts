/**
 * Multi round-trip requests without any memory: what was answered so far travels with the client, sealed (AES-256-GCM), bound
 * to the caller and to the request, and expiring. 2026-07-28 basic/patterns/mrtr
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { InputResponses } from '../../request-context.js'
import { Fault } from '../../../lib/errors.js'
import { parseObject } from '../../jsonrpc/parse.js'
import type { Request } from '../../jsonrpc/message.js'

export interface RequestStateCodec {
  seal (answered: readonly InputResponses[], request: Request, credential: string): string
  /** The answers of earlier rounds; a `Fault` for a state that this request and caller were not given. */
  open (state: unknown, request: Request, credential: string): InputResponses[]
}

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const LIFE_MS = 3_600_000
const MAX_LENGTH = 256 * 1024

/** The first secret seals; what was sealed with any of them is opened. */
export const requestStateCodec = (
  [secret, ...others]: readonly [string, ...string[]], now: () => number = Date.now
): RequestStateCodec => {
  const key = keyOf(secret)
  const keys = [key, ...others.map(keyOf)]
  return {
    seal (answered, request, credential) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(bound(request, credential))
      const sealed = Buffer.concat([cipher.update(JSON.stringify({ answered, expires: now() + LIFE_MS })), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
    },

    open (state, request, credential) {
      const payload = typeof state === 'string' && state.length <= MAX_LENGTH
        ? unsealed(Buffer.from(state, 'base64url'), keys, bound(request, credential))
        : undefined
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

const unsealed = (bytes: Buffer, keys: readonly Buffer[], aad: Buffer): ReturnType<typeof unseal> => {
  for (const key of keys) {
    const payload = unseal(bytes, key, aad)
    if (payload) return payload
  }
  return undefined
}

const unseal = (
  bytes: Buffer, key: Buffer, aad: Buffer
): { answered: InputResponses[], expires: number } | undefined => {
  if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES)).setAAD(aad)
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
    return parseObject(text) as { answered: InputResponses[], expires: number } | undefined
  } catch {
    return undefined
  }
}

/** What the state belongs to: the caller, the method and its parameters other than those of the rounds. */
const bound = ({ method, params }: Request, credential: string): Buffer => {
  const { _meta, inputResponses, requestState, ...rest } = params
  return createHash('sha256').update(JSON.stringify([credential, method, sorted(rest)])).digest()
}

/** The same value whatever the order of its keys. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value).sort(([one], [other]) => one < other ? -1 : 1).map(([key, inner]) => [key, sorted(inner)])
}
