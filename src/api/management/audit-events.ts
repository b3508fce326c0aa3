/** Lists the audit log, and exports all of it. */
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { FromSchema } from 'json-schema-to-ts'
import auditEvent from '#schemas/api/audit_event.json' with { type: 'json' }
import auditQuery from '#schemas/api/audit_query.json' with { type: 'json' }
import type { ManagementPorts } from './management-ports.js'
import { responses, listOf } from '../schemas.js'

/**
 * Registers `GET /audit-events` and `GET /audit-events/export`, which streams NDJSON. Both first record expired
 * credentials.
 */
export function auditEvents (app: FastifyInstance, { audit, credentials }: ManagementPorts): void {
  app.get<{ Querystring: FromSchema<typeof auditQuery> }>('/audit-events', {
    schema: {
      operationId: 'listAuditEvents',
      summary: 'List audit events, most recent first',
      tags: ['audit'],
      querystring: auditQuery,
      response: responses(200, listOf('audit_events', auditEvent))
    }
  }, async ({ query }) => {
    await credentials.markExpired()
    return { audit_events: await audit.list(query) }
  })

  app.get<{ Querystring: FromSchema<typeof auditQuery> }>('/audit-events/export', {
    schema: {
      operationId: 'exportAuditEvents',
      summary: 'All audit events as NDJSON, most recent first',
      tags: ['audit'],
      querystring: auditQuery,
      produces: ['application/x-ndjson']
    }
  }, async ({ query: { limit: _, ...filter } }, reply) => {
    await credentials.markExpired()
    return reply.type('application/x-ndjson').send(Readable.from(linesOf(audit.all(filter))))
  })
}

async function * linesOf (pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  for await (const page of pages) yield page.map((event) => `${JSON.stringify(event)}\n`).join('')
}
