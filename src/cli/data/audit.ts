/** `audit`: prints the audit log as a table or as JSON, or exports it line by line. */
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { ResponseOf } from '../../administration/operation.js'
import type { SocketOperations } from '../../administration/operations.js'
import type { AuditFilter } from '../../access/audit/audit-log.js'
import { errorCode } from '../../lib/error-code.js'
import { stripControlChars } from '../print/print.js'
import { printList, type Columns } from '../print/table.js'
import type { CommandHandler } from '../cli-context.js'
import { withManagement } from '../with-management.js'

type NamedEvent = ResponseOf<SocketOperations['GET /admin/audit-events']>['audit_events'][number]

export const audit: CommandHandler<AuditFilter & { ndjson?: true }> = async (options, context, flags) => {
  const { user, credential, workspace, action, outcome, since, until, limit, ndjson, json } = options
  const filter = { user, credential, workspace, action, outcome, since, until }
  if (ndjson) {
    const { stdout } = context
    return withManagement(context, flags, async (api) => {
      let hasEvents = false
      for await (const line of api.lines('GET /admin/audit-events/export', { query: filter })) {
        hasEvents = true
        if (!stdout.write(`${stripControlChars(line)}\n`)) await drained(stdout)
        // Anyone who reads has read enough, as `| head` does.
        if (!stdout.writable) return
      }
      // The list refuses a filter that names nothing; the export has begun its reply by then.
      if (!hasEvents) await api.call('GET /admin/audit-events', { query: { ...filter, limit: 1 } })
    })
  }
  const { audit_events: events } = await withManagement(context, flags, (api) =>
    api.call('GET /admin/audit-events', { query: { ...filter, limit } }))
  /** A column that appears only when an event has something for it. */
  const optional = (title: string, value: (event: NamedEvent) => string | null | undefined): Columns<NamedEvent> =>
    events.some((event) => value(event) !== undefined) ? [[title, value]] : []
  printList({ ...context, json }, events, [
    ['AT', ({ at }) => at],
    ['USER', ({ user_email: email, user_id: id }) => email ?? id],
    ['CREDENTIAL', ({ credential_name: name, credential_id: id }) => name ?? id],
    ['ACTION', ({ action }) => action],
    ...optional('WORKSPACE', ({ workspace, workspace_id: id }) => workspace ?? id),
    ...optional('EXPLORATION', ({ exploration, exploration_id: id }) => exploration ?? id),
    ['OUTCOME', ({ outcome, count }) => count === undefined ? outcome : `${outcome} ×${count}`],
    ['MS', ({ duration_ms: ms }) => Math.round(ms)], ['CLIENT (DECLARED)', ({ client }) => client],
    ['FROM', ({ remote_address: from }) => from], ['BY', ({ actor }) => actor],
    ...optional('REPORTED BY', ({ reported_by: gateway }) => gateway)
  ], Object.values(filter).some((value) => value !== undefined)
    ? 'No event of the audit log matches.'
    : 'Nothing has been recorded.')
}

const drained = async (stream: Writable): Promise<void> => {
  if (!stream.writable) return
  await once(stream, 'drain').catch((error: unknown) => { if (errorCode(error) !== 'EPIPE') throw error })
}
