/** Credentials and device grants of the platform. Caches nothing: a revoked credential fails at the next call. */
import type { Credentials, OwnCredentials } from '../../access/credentials/credentials.js'
import type { DeviceGrants } from '../../access/credentials/device-grants.js'
import { Fault, Refusal } from '../../lib/errors.js'
import { PlatformProtocolError } from './errors.js'
import { callers } from './credential-operations.js'
import type { Platform } from './client.js'

/** The credentials of a platform. `revoke` throws a `Fault` `unavailable` when the platform does not support it. */
export const platformCredentials = ({ request }: Platform): OwnCredentials & Pick<Credentials, 'markExpired'> => {
  const verify = async (secret: string, resource?: string) => {
    const { principal, refused } = await request(callers.verifyCredential, { body: { secret, resource } })
    if (principal) return { principal }
    if (refused) return { refused }
    throw new PlatformProtocolError('The platform neither knows nor refuses a credential.')
  }
  return {
    verify: (secret) => verify(secret),
    verifyConnection: verify,

    async refresh ({ credential: { id } }) {
      return (await request(callers.currentCredential, { body: { credential_id: id } }))?.principal
    },

    async revoke (kind, id, by) {
      const body = { kind, credential_id: id, by: by?.slice(0, 200) }
      const answer = await request(callers.revokeCredential, { body })
      if (!answer) throw notOffered()
      if (!answer.revoked) throw new Refusal('There is no such credential.', 'not_found')
    },

    // The platform does this itself.
    async markExpired () {}
  }
}

/** The device grants of a platform. Both throw a `Fault` `unavailable` when the platform does not support them. */
export const platformDevices = ({ request }: Platform): Pick<DeviceGrants, 'request' | 'redeem'> => ({
  async request (body) {
    const answer = await request(callers.requestDevice, { body })
    if (!answer) throw notOffered()
    return answer.codes
  },

  async redeem (deviceCode, clientId) {
    const answer = await request(callers.redeemDevice, { body: { device_code: deviceCode, client_id: clientId } })
    if (!answer) throw notOffered()
    const { token, refused } = answer
    if (token) return token
    if (refused) return refused
    throw new PlatformProtocolError('The platform neither gave nor refused a token.')
  }
})

const notOffered = (): Fault =>
  new Fault('unavailable', 'The platform behind this server does not offer that.', { retry_after_seconds: 60 })
