/** `audit`: prints the audit log as a table or as JSON, or exports it line by line. */
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { AuditFilter, AuditRecord } from '../audit/audit-log.js'
import { errorCode } from '../lib/error-code.js'
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
        if (!stdout.write(`${stripControlChars(line)}\n`)) await drained(stdout)
        // Whoever reads has read enough, as `| head` does.
        if (!stdout.writable) return
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
  ], Object.values(filter).some((value) => value !== undefined)
    ? 'No event of the audit log matches.'
    : 'Nothing has been recorded.')
}

/** Waits until the stream takes more, or is closed by its reader. */
const drained = async (stream: Writable): Promise<void> => {
  try {
    if (stream.writable) await once(stream, 'drain')
  } catch (error) {
    if (errorCode(error) !== 'EPIPE') throw error
  }
}

/** A column that appears only when a gateway reported events. */
const REPORTED_BY: [string, (event: AuditRecord) => string | undefined] = [
  'REPORTED BY', ({ reported_by: gateway }) => gateway
]
