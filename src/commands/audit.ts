/** `audit` */
import type { AuditRecord } from '../store/audit.js'
import { printList } from './print.js'
import type { Run } from './run.js'
import { withManagement } from './with-management.js'

export const audit: Run<{ user?: string, since?: string, limit: number }> = async ({ user, since, limit, json }, surroundings, flags) => {
  const { audit_events: events } = await withManagement(surroundings, flags, (api) =>
    api.call<{ audit_events: AuditRecord[] }>('GET', '/audit-events', { query: { user, since, limit } }))
  printList({ ...surroundings, json }, events, [
    ['AT', ({ at }) => at], ['USER', ({ user_id: id }) => id], ['CREDENTIAL', ({ credential_id: id }) => id],
    ['ACTION', ({ action }) => action], ['OUTCOME', ({ outcome }) => outcome], ['MS', ({ duration_ms: ms }) => Math.round(ms)],
    ['CLIENT (DECLARED)', ({ client }) => client], ['FROM', ({ remote_address: from }) => from]
  ], 'Nothing has been recorded.')
}
