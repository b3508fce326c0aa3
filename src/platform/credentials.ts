/** Credentials of a platform, and tools that ask it for a token. Nothing is remembered: what is revoked there fails at the next call. */
import type { Credentials, OwnCredentials } from '../auth/credentials.js'
import type { DeviceGrants } from '../auth/device-grants.js'
import { Fault, Refusal } from '../lib/errors.js'
import { PlatformBroken } from './errors.js'
import { currentCredential, redeemDevice, requestDevice, revokeCredential, verifyCredential } from './credential-operations.js'
import type { Platform } from './client.js'

export const platformCredentials = ({ ask, askIfOffered }: Platform): OwnCredentials & Pick<Credentials, 'noteExpired'> => ({
  async verify (secret) {
    const { principal, refused } = await ask(verifyCredential, { body: { secret } })
    if (principal) return { principal }
    if (refused) return { refused }
    throw new PlatformBroken('The platform neither knows nor refuses a credential.')
  },

  async current (id) {
    return (await askIfOffered(currentCredential, { body: { credential_id: id } }))?.principal
  },

  async revoke (kind, id, by) {
    const body = { kind, credential_id: id, ...by !== undefined && { by: by.slice(0, 200) } }
    const answer = await askIfOffered(revokeCredential, { body })
    if (!answer) throw notOffered()
    if (!answer.revoked) throw new Refusal('There is no such credential.', 'not_found')
  },

  // The platform sees to that.
  async noteExpired () {}
})

export const platformDevices = ({ askIfOffered }: Platform): Pick<DeviceGrants, 'request' | 'redeem'> => ({
  async request ({ clientId, name, remoteAddress }) {
    const body = { name, remote_address: remoteAddress, ...clientId !== undefined && { client_id: clientId } }
    const answer = await askIfOffered(requestDevice, { body })
    if (!answer) throw notOffered()
    const { codes } = answer
    return codes && { deviceCode: codes.device_code, userCode: codes.user_code, expiresIn: codes.expires_in, interval: codes.interval }
  },

  async redeem (deviceCode, clientId) {
    const body = { device_code: deviceCode, ...clientId !== undefined && { client_id: clientId } }
    const answer = await askIfOffered(redeemDevice, { body })
    if (!answer) throw notOffered()
    const { token, refused } = answer
    if (token) return token
    if (refused) return refused
    throw new PlatformBroken('The platform neither gave nor refused a token.')
  }
})

const notOffered = (): Fault => new Fault('unavailable', 'The platform behind this server does not offer that.', { retry_after_seconds: 60 })
