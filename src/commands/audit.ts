/** `audit`: prints the audit log as a table or as JSON, or exports it line by line. */
import { once } from 'node:events'
import type { AuditFilter, AuditRecord } from '../audit/audit-log.js'
import { stripControlChars, printList } from './print.js'
import type { CommandHandler } from './command-handler.js'
import { withManagement } from './with-management.js'

/**
 * Prints the events that match the filter; with `ndjson` all of them, without a limit.
 * @throws {Refusal} for an invalid filter
 */
export const audit: CommandHandler<AuditFilter & { ndjson?: true }> = async (options, context, flags) => {
  const { user, credential, workspace, action, outcome, since, until, limit, ndjson, json } = options
  const filter = { user, credential, workspace, action, outcome, since, until }
  if (ndjson) {
    const { stdout } = context
    return withManagement(context, flags, async (api) => {
      for await (const line of api.lines('/audit-events/export', filter)) {
        if (!stdout.write(`${stripControlChars(line)}\n`)) await once(stdout, 'drain')
      }
    })
  }
  const { audit_events: events } = await withManagement(context, flags, (api) =>
    api.call<{ audit_events: AuditRecord[] }>('GET', '/audit-events', { query: { ...filter, limit } }))
  printList({ ...context, json }, events, [
    ['AT', ({ at }) => at], ['USER', ({ user_id: id }) => id], ['CREDENTIAL', ({ credential_id: id }) => id],
    ['ACTION', ({ action }) => action],
    ['OUTCOME', ({ outcome, count }) => count === undefined ? outcome : `${outcome} ×${count}`],
    ['MS', ({ duration_ms: ms }) => Math.round(ms)], ['CLIENT (DECLARED)', ({ client }) => client],
    ['FROM', ({ remote_address: from }) => from], ['BY', ({ actor }) => actor],
    ...events.some(({ reported_by: gateway }) => gateway !== undefined) ? [REPORTED_BY] : []
  ], 'Nothing has been recorded.')
}

/** A column that appears only when a gateway reported events. */
const REPORTED_BY: [string, (event: AuditRecord) => string | undefined] = [
  'REPORTED BY', ({ reported_by: gateway }) => gateway
]
