/** Handlers: the audit log as it is recorded, with the names behind its ids, by the command line. */
import { Readable } from 'node:stream'
import type { AuditFilter, AuditRecord } from '../../access/audit/audit-log.js'
import { idsIn } from '../../db/audit/sql-audit-labels.js'
import { applicationName } from '../../lib/text/application-name.js'
import type { HandlersOf } from '../handler.js'
import type { activityOperations } from '../operations/activity.js'
import type { ManagementPorts } from '../ports.js'

type Ports = Pick<ManagementPorts, 'audit' | 'auditLabels' | 'credentials' | 'directory'>

/** Returns the handlers by method and path. Both first record expired credentials. */
export const allAuditEventsHandlers = (
  ports: Ports
): HandlersOf<typeof activityOperations, 'GET /admin/audit-events' | 'GET /admin/audit-events/export'> => {
  const { audit, credentials } = ports
  return {
    'GET /admin/audit-events': async ({ query }) => {
      await credentials.markExpired()
      const events = await audit.list(query)
      if (events.length === 0) await requireKnown(query, ports)
      return { audit_events: await withNames(events, ports) }
    },

    'GET /admin/audit-events/export': async ({ query: { limit: _, ...filter }, reply }) => {
      await credentials.markExpired()
      return reply.type('application/x-ndjson').send(Readable.from(linesOf(audit.all(filter), ports)))
    }
  }
}

/** @throws {Refusal} when the filter names a user, credential or workspace that does not exist */
const requireKnown = async (
  { user, credential, workspace }: AuditFilter, { directory, credentials }: Ports
): Promise<void> => {
  if (user !== undefined) await directory.findUser(user)
  if (credential !== undefined) await credentials.requireKnown(credential)
  if (workspace !== undefined) await directory.findWorkspace(workspace)
}

async function * linesOf (pages: AsyncIterable<readonly AuditRecord[]>, ports: Ports): AsyncGenerator<string> {
  for await (const page of pages) {
    yield (await withNames(page, ports)).map((event) => `${JSON.stringify(event)}\n`).join('')
  }
}

/** Adds the names that the ids in events have now. */
const withNames = async (events: readonly AuditRecord[], { auditLabels }: Ports) => {
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
