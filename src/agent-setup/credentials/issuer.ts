/** Issuers create, check and revoke the tokens of a server: this command line itself, or the server by its API. */
import { Refusal } from '../../lib/errors.js'
import { revoke, inspectToken } from './token-api.js'
import type { StoredToken } from './credentials-file.js'
import { deviceGrant, type DeviceGrantOptions } from './device-client.js'
import { requireSecureTransport } from './http-client.js'

export interface Issuer {
  /** The owner of the next token, to announce it; undefined when someone else decides. */
  owner (old?: StoredToken): Promise<string | undefined>
  /** Whether it can revoke a token by its id, whichever address it was used at. */
  revokesById?: true
  /** User-supplied token: never revoke on rollback. */
  isSupplied?: true
  /** Creates a token. A replacement gets the owner of the old one, unless someone else decides. */
  mint (name: string, old?: StoredToken): Promise<StoredToken>
  /** Undefined when the server does not answer. */
  works (token: StoredToken): Promise<boolean | undefined>
  revoke (token: StoredToken): Promise<void>
}

export const remoteIssuer = (endpoint: URL, waiting: Omit<DeviceGrantOptions, 'name'>): Issuer => ({
  owner: async () => undefined,
  async mint (name) {
    const { token, id, expires_at: expires } = await deviceGrant(endpoint, { ...waiting, name }).catch((error) => {
      throw waiting.signal.aborted ? new Refusal('Stopped: no token was given.') : error
    })
    return { token, id: id ?? '', kind: 'personal_access_token', expires_at: expires }
  },
  works: ({ token }) => worksAt(endpoint, token),
  revoke: ({ token }) => revoke(endpoint, token)
})

export const suppliedIssuer = (endpoint: URL, supplied: StoredToken): Issuer => ({
  isSupplied: true,
  owner: async () => supplied.user,
  mint: async () => supplied,
  works: ({ token }) => worksAt(endpoint, token),
  revoke: ({ token }) => revoke(endpoint, token)
})

/** Revokes tokens of another address, perhaps an older one of the local server (`own`), at that address only. */
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

/** Whether the server at `endpoint` accepts the token; undefined when it does not answer as expected. */
export const worksAt = (endpoint: URL, token: string): Promise<boolean | undefined> =>
  inspectToken(endpoint, token).then((info) => 'id' in info, () => undefined)
