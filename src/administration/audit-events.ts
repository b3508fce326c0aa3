/** Lists the audit log, and exports all of it. */
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { FromSchema } from 'json-schema-to-ts'
import auditEvent from '#schemas/administration/audit_event.json' with { type: 'json' }
import auditQuery from '#schemas/administration/audit_query.json' with { type: 'json' }
import type { AuditFilter, AuditRecord } from '../access/audit/audit-log.js'
import { idsIn } from '../db/audit/sql-audit-labels.js'
import { applicationName } from '../lib/text/application-name.js'
import type { ManagementPorts } from './management-ports.js'
import { responses, listOf } from '../http/schemas.js'

/**
 * Registers `GET /audit-events` and `GET /audit-events/export`, which streams NDJSON. Both first record expired
 * credentials, and add the names behind the ids.
 */
export function auditEvents (app: FastifyInstance, ports: ManagementPorts): void {
  const { audit, credentials } = ports
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
    const events = await audit.list(query)
    if (events.length === 0) await requireKnown(query, ports)
    return { audit_events: await withNames(events, ports) }
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
    return reply.type('application/x-ndjson').send(Readable.from(linesOf(audit.all(filter), ports)))
  })
}

async function * linesOf (
  pages: AsyncIterable<readonly AuditRecord[]>, ports: ManagementPorts
): AsyncGenerator<string> {
  for await (const page of pages) {
    yield (await withNames(page, ports)).map((event) => `${JSON.stringify(event)}\n`).join('')
  }
}

/** @throws {Refusal} when the filter names a user, credential or workspace that does not exist */
const requireKnown = async (
  { user, credential, workspace }: AuditFilter, { directory, credentials }: ManagementPorts
): Promise<void> => {
  if (user !== undefined) await directory.findUser(user)
  if (credential !== undefined) await credentials.requireKnown(credential)
  if (workspace !== undefined) await directory.findWorkspace(workspace)
}

/** Adds the names that the ids in events have now. */
const withNames = async (events: readonly AuditRecord[], { auditLabels }: ManagementPorts) => {
  const everything = { users: undefined, workspaces: undefined, explorationsOf: undefined }
  const labels = await auditLabels(idsIn(events), everything)
  return events.map((event) => {
    const user = labels.users.get(event.user_id ?? '')
    const credential = labels.credentials.get(event.credential_id ?? '')
    const workspace = labels.workspaces.get(event.workspace_id ?? '')
    const exploration = labels.explorations.get(event.exploration_id ?? '')
    return {
      ...event,
      ...(user && { user_email: user.email }),
      ...(credential && { credential_name: applicationName(credential) }),
      ...(workspace && { workspace: workspace.slug }),
      ...(exploration && { exploration: exploration.title })
    }
  })
}
