/** An authenticator in software: makes passkeys (ES256) and signs with them as a browser sends it. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

interface Held { id: Buffer, key: KeyObject, userHandle: string, counter: number }

export type Authenticator = ReturnType<typeof authenticator>

export interface Changes { origin?: string, rpId?: string, isVerified?: boolean, type?: string, challenge?: string }

const PRESENT = 1
const VERIFIED = 4
const ATTESTED = 64

export const authenticator = (origin: string) => {
  const held: Held[] = []
  const authData = (rpId: string, flags: number, counter: number, more: Buffer = Buffer.alloc(0)): Buffer => {
    const head = Buffer.alloc(5)
    head.writeUInt8(flags, 0)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(rpId), head, more])
  }
  const clientData = (type: string, challenge: unknown, at: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }))

  return {
    held,

    /** What `navigator.credentials.create` gives for these options. */
    create (options: Record<string, unknown>, { origin: at = origin, rpId, isVerified = true, type = 'webauthn.create', challenge }: Changes = {}) {
      const { rp, user } = options as { rp: { id: string }, user: { id: string } }
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const id = randomBytes(16)
      held.push({ id, key: privateKey, userHandle: user.id, counter: 0 })
      const cose = isoCBOR.encode(new Map<number, number | Uint8Array>([
        [1, 2], [3, -7], [-1, 1], [-2, new Uint8Array(Buffer.from(x, 'base64url'))], [-3, new Uint8Array(Buffer.from(y, 'base64url'))]
      ]))
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const data = authData(rpId ?? rp.id, PRESENT | ATTESTED | (isVerified ? VERIFIED : 0), 0,
        Buffer.concat([Buffer.alloc(16), length, id, Buffer.from(cose)]))
      const attestation = isoCBOR.encode(new Map<string, string | Map<string, never> | Uint8Array>([
        ['fmt', 'none'], ['attStmt', new Map<string, never>()], ['authData', new Uint8Array(data)]
      ]))
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key',
        response: {
          clientDataJSON: clientData(type, challenge ?? options['challenge'], at).toString('base64url'),
          attestationObject: Buffer.from(attestation).toString('base64url'),
          transports: ['internal']
        },
        clientExtensionResults: { credProps: { rk: true } }
      }
    },

    /** What `navigator.credentials.get` gives, with the newest passkey. */
    get (
      options: Record<string, unknown>,
      { origin: at = origin, rpId, isVerified = true, type = 'webauthn.get', challenge, counter, userHandle }: Changes & { counter?: number, userHandle?: string } = {}
    ) {
      const one = held.at(-1)
      if (!one) throw new Error('the authenticator holds no passkey')
      one.counter = counter ?? one.counter + 1
      const data = authData(rpId ?? String(options['rpId']), PRESENT | (isVerified ? VERIFIED : 0), one.counter)
      const client = clientData(type, challenge ?? options['challenge'], at)
      return {
        id: one.id.toString('base64url'),
        rawId: one.id.toString('base64url'),
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, sha256(client)]), one.key).toString('base64url'),
          userHandle: userHandle ?? one.userHandle
        },
        clientExtensionResults: {}
      }
    }
  }
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
