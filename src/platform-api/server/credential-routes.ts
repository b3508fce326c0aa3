/** Verifies and revokes credentials, serves device grants and stores audit events for gateways. */
import { callers } from '../client/credential-operations.js'
import { requireRefusal } from '../../lib/errors.js'
import { SERVER } from '../../config/server-info.js'
import type { UserPrincipal } from '../../lib/principal.js'
import type { PlatformPorts, RegisterRoute } from './platform-ports.js'

export function credentialRoutes (
  route: RegisterRoute, { credentials, devices, audit, changes, oauthIssuer }: PlatformPorts
): void {
  route(callers.getPlatform, async () => {
    // Rejects when the database is unavailable.
    await changes.position()
    return { name: SERVER.name, version: SERVER.version, oauth_issuer: oauthIssuer?.() }
  })

  route(callers.verifyCredential, async ({ body: { secret, resource } }) => {
    const verification = resource === undefined
      ? await credentials.verify(secret)
      : await credentials.verifyConnection(secret, resource)
    return 'principal' in verification ? { principal: sent(verification.principal) } : verification
  })

  route(callers.currentCredential, async ({ body }) => {
    const principal = await credentials.refresh({ credential: { id: body.credential_id } })
    return principal ? { principal: sent(principal) } : {}
  })

  route(callers.revokeCredential, async ({ body: { kind, credential_id: id, by } }) => {
    try {
      await credentials.revoke(kind, id, by)
      return { revoked: true }
    } catch (error) {
      requireRefusal(error)
      return { revoked: false }
    }
  })

  route(callers.requestDevice, async ({ body }) => {
    const codes = await devices.request(body)
    return codes ? { codes } : {}
  })

  route(callers.redeemDevice, async ({ body }) => {
    const token = await devices.redeem(body.device_code, body.client_id)
    return typeof token === 'string' ? { refused: token } : { token }
  })

  route(callers.keepAuditEvents, async ({ body: { events }, from }) => {
    await Promise.all(events.map(({ id, ...event }) => audit.record({
      ...event, event_id: id, reported_by: `front at ${from}`
    })))
    return { kept: events.length }
  })
}

const sent = ({ credential, user, workspaces }: UserPrincipal) => ({ credential, user, workspaces: [...workspaces] })
