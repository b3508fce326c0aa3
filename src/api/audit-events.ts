/** Who did what. */
import type { FastifyInstance } from 'fastify'
import type { FromSchema } from 'json-schema-to-ts'
import auditEvent from '#schemas/api/audit_event.json' with { type: 'json' }
import auditQuery from '#schemas/api/audit_query.json' with { type: 'json' }
import type { ManagementPorts } from './ports.js'
import { answers, listOf } from './schemas.js'

export function auditEvents (app: FastifyInstance, { audit }: ManagementPorts): void {
  app.get<{ Querystring: FromSchema<typeof auditQuery> }>('/audit-events', {
    schema: { operationId: 'listAuditEvents', summary: 'List audit events, most recent first', tags: ['audit'], querystring: auditQuery, response: answers(200, listOf('audit_events', auditEvent)) }
  }, async ({ query }) => ({ audit_events: await audit.list(query) }))
}
