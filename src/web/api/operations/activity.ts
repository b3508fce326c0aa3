/** What was called, by whom, and how it ended. */
import auditEvents from '#schemas/web/audit_events.json' with { type: 'json' }
import auditExportQuery from '#schemas/web/audit_export_query.json' with { type: 'json' }
import auditQuery from '#schemas/web/audit_query.json' with { type: 'json' }
import usage from '#schemas/web/usage.json' with { type: 'json' }
import usageQuery from '#schemas/web/usage_query.json' with { type: 'json' }
import type { OperationTable } from '../operation.js'

export const activityOperations = {
  'GET /usage': {
    id: 'getUsage',
    summary: 'Calls over time',
    tag: 'activity',
    query: usageQuery,
    response: usage
  },
  'GET /audit-events': {
    id: 'listAuditEvents',
    summary: 'Audit events, most recent first',
    tag: 'activity',
    query: auditQuery,
    response: auditEvents
  },
  'GET /audit-events/export': {
    id: 'exportAuditEvents',
    summary: 'All audit events that fit, as NDJSON or CSV',
    tag: 'activity',
    query: auditExportQuery,
    produces: ['application/x-ndjson', 'text/csv']
  }
} as const satisfies OperationTable
