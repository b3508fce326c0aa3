/** Refusals on paths beside the MCP endpoint, for the audit log: a wrong token or code, a foreign origin, a limit that is used up. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FaultKind } from '../lib/errors.js'
import type { AuditEvent } from './audit-log.js'
import { clientAddress } from '../http/client-address.js'

export type NoteRefusal = (event: AuditEvent) => void

const OUTCOMES: Readonly<Record<number, FaultKind>> = {
  401: 'unauthorized', 403: 'foreign_origin', 429: 'rate_limited'
}

/** Notes each answer of a scope whose status refuses the caller. The action names the route, never what the client wrote. */
export const auditRefusals = (app: FastifyInstance, note: NoteRefusal): void => {
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const outcome = OUTCOMES[statusCode]
    if (outcome !== undefined) note(refusalEvent(outcome, request))
    done()
  })
}

/** A guess that is answered like something else: RFC 7009 answers 200, RFC 8628 400. */
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
