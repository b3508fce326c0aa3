/** Writes what a person did in the web application into the audit log. */
import type { FastifyRequest } from 'fastify'
import type { AuditEvent, AuditLog } from '../access/audit/audit-log.js'
import { clientAddress } from '../lib/http/client-address.js'

const MAX_CLIENT_LENGTH = 100

/**
 * Records an action by the person who is signed in, or by `about.user_id`. Resolves once it is committed.
 * @param action such as `passkey/created`
 */
export const recordAction = async (
  audit: Pick<AuditLog, 'record'>, request: FastifyRequest, action: string, about: Partial<AuditEvent>
): Promise<void> => {
  await audit.record({
    user_id: request.web?.user.id,
    action,
    outcome: 'ok',
    duration_ms: 0,
    request_id: request.id,
    client: request.headers['user-agent']?.slice(0, MAX_CLIENT_LENGTH),
    remote_address: clientAddress(request.ip),
    ...about
  })
}
