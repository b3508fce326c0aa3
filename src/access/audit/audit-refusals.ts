/** Audits rejections outside the MCP endpoint: a wrong token or code, a foreign origin, an exceeded limit. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FaultKind } from '../../lib/errors.js'
import type { AuditEvent } from './audit-log.js'
import { clientAddress } from '../../lib/http/client-address.js'

export type OnDenial = (event: AuditEvent) => void

const OUTCOMES: Readonly<Record<number, FaultKind>> = {
  401: 'unauthorized', 403: 'foreign_origin', 429: 'rate_limited'
}

/** Audits each reply of a scope with status 401, 403 or 429. The action names the route, never the client's text. */
export const auditRefusals = (app: FastifyInstance, note: OnDenial): void => {
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const outcome = OUTCOMES[statusCode]
    if (outcome !== undefined) note(refusalEvent(outcome, request))
    done()
  })
}

/** The audit event of a rejection; for direct use where the status does not show it (RFC 7009: 200, RFC 8628: 400). */
export const refusalEvent = (
  outcome: FaultKind, { method, routeOptions, id, ip, headers }: FastifyRequest
): AuditEvent => ({
  action: `refused ${method} ${routeOptions.url ?? ''}`,
  outcome,
  duration_ms: 0,
  request_id: id,
  client: headers['user-agent']?.slice(0, 100),
  remote_address: clientAddress(ip)
})
