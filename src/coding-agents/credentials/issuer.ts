/**
 * Who gives tokens of a server, says whether one works, and takes it back: this command line itself, or the server
 * from afar.
 */
import { Refusal } from '../../lib/errors.js'
import { revoke, inspectToken } from './token-api.js'
import type { StoredToken } from './credentials-file.js'
import { deviceGrant, type DeviceGrantOptions } from './device-client.js'
import { requireSecureTransport } from './transport.js'

export interface Issuer {
  /** Whose token the next will be, for saying it beforehand; undefined where somebody else decides. */
  owner (old?: StoredToken): Promise<string | undefined>
  /** It ends tokens by their id, wherever they were used. */
  revokesById?: true
  /** User-supplied token: never revoke on rollback. */
  isSupplied?: true
  /** One that takes the place of another belongs to the same user, if nobody else decides. */
  mint (name: string, old?: StoredToken): Promise<StoredToken>
  /** Undefined when the server does not answer. */
  works (token: StoredToken): Promise<boolean | undefined>
  revoke (token: StoredToken): Promise<void>
}

/** Asks for each token at the server, where a person approves it. */
export const remoteIssuer = (endpoint: URL, waiting: Omit<DeviceGrantOptions, 'name'>): Issuer => ({
  owner: async () => undefined,
  async mint (name) {
    const { token, id, expires_at: expires } = await deviceGrant(endpoint, { ...waiting, name }).catch((error: unknown) => {
      throw waiting.signal.aborted ? new Refusal('Stopped: no token was given.') : error
    })
    return { token, id: id ?? '', kind: 'personal_access_token', expires_at: expires }
  },
  works: ({ token }) => worksAt(endpoint, token),
  revoke: ({ token }) => revoke(endpoint, token)
})

/** Has the one token that was given. */
export const suppliedIssuer = (endpoint: URL, supplied: StoredToken): Issuer => ({
  isSupplied: true,
  owner: async () => supplied.user,
  mint: async () => supplied,
  works: ({ token }) => worksAt(endpoint, token),
  revoke: ({ token }) => revoke(endpoint, token)
})

/** Ends tokens of another address, perhaps an older one of our own server. A secret goes to no address but its own. */
export const remoteRevoker = (
  endpoint: URL, { own, allowHttp }: { own?: Issuer | undefined, allowHttp: boolean | undefined }
): Pick<Issuer, 'revoke'> => ({
  async revoke (token) {
    try {
      requireSecureTransport(endpoint, allowHttp)
      await revoke(endpoint, token.token)
    } catch (error) {
      if (!own?.revokesById) throw error
      await own.revoke(token).catch(() => { throw error })
    }
  }
})

export const worksAt = (endpoint: URL, token: string): Promise<boolean | undefined> =>
  inspectToken(endpoint, token).then((info) => 'id' in info, () => undefined)
