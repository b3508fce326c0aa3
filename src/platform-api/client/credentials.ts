/**
 * Verifies credentials and grants device tokens at the platform. Caches nothing: a revoked credential fails at the next
 * call.
 */
import type { Credentials, OwnCredentials } from '../../access/credentials/credentials.js'
import type { DeviceGrants } from '../../access/credentials/device-grants.js'
import { Fault, Refusal } from '../../lib/errors.js'
import { PlatformProtocolError } from './errors.js'
import { callers } from './credential-operations.js'
import type { Platform } from './client.js'

const verified = async (request: Platform['request'], body: { secret: string, resource?: string }) => {
  const { principal, refused } = await request(callers.verifyCredential, { body })
  if (principal) return { principal }
  if (refused) return { refused }
  throw new PlatformProtocolError('The platform neither knows nor refuses a credential.')
}

/**
 * The credentials of a platform. `revoke` throws a `Refusal` `not_found` for an unknown credential and a `Fault`
 * `unavailable` when the platform does not support it; `verify` throws a `PlatformProtocolError` when the reply has
 * neither principal nor reason.
 */
export const platformCredentials = (
  { request, requestIfSupported }: Platform
): OwnCredentials & Pick<Credentials, 'markExpired'> => ({
  verify: (secret) => verified(request, { secret }),
  verifyConnection: (secret, resource) => verified(request, { secret, resource }),

  async refresh ({ credential: { id } }) {
    return (await requestIfSupported(callers.currentCredential, { body: { credential_id: id } }))?.principal
  },

  async revoke (kind, id, by) {
    const body = { kind, credential_id: id, ...by !== undefined && { by: by.slice(0, 200) } }
    const answer = await requestIfSupported(callers.revokeCredential, { body })
    if (!answer) throw notOffered()
    if (!answer.revoked) throw new Refusal('There is no such credential.', 'not_found')
  },

  // The platform does this itself.
  async markExpired () {}
})

/**
 * The device grants of a platform. Both methods throw a `Fault` `unavailable` when the platform does not support them.
 */
export const platformDevices = ({ requestIfSupported }: Platform): Pick<DeviceGrants, 'request' | 'redeem'> => ({
  async request ({ clientId, name, remoteAddress }) {
    const body = { name, remote_address: remoteAddress, ...clientId !== undefined && { client_id: clientId } }
    const answer = await requestIfSupported(callers.requestDevice, { body })
    if (!answer) throw notOffered()
    const { codes } = answer
    return codes && {
      deviceCode: codes.device_code, userCode: codes.user_code, expiresIn: codes.expires_in, interval: codes.interval
    }
  },

  async redeem (deviceCode, clientId) {
    const body = { device_code: deviceCode, ...clientId !== undefined && { client_id: clientId } }
    const answer = await requestIfSupported(callers.redeemDevice, { body })
    if (!answer) throw notOffered()
    const { token, refused } = answer
    if (token) return token
    if (refused) return refused
    throw new PlatformProtocolError('The platform neither gave nor refused a token.')
  }
})

const notOffered = (): Fault =>
  new Fault('unavailable', 'The platform behind this server does not offer that.', { retry_after_seconds: 60 })
