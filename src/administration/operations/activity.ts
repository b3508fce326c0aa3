/** What was called, by whom, and how it ended. */
import shapes from '#schemas/operations/activity.json' with { type: 'json' }
import { row, tagged } from '../operation.js'
import { OPERATOR, OWN_OR_ALL } from '../permission.js'

export const activityOperations = tagged('activity', {
  'GET /usage': row('getUsage', 'Calls over time', OWN_OR_ALL, { query: shapes.usageQuery, response: shapes.usage }),
  'GET /audit-events': row('listAuditEvents', 'Audit events, most recent first', OWN_OR_ALL,
    { query: shapes.auditQuery, response: shapes.auditEvents }),
  'GET /audit-events/export': row('exportAuditEvents', 'All audit events that fit, as NDJSON or CSV', OWN_OR_ALL,
    { query: shapes.auditExportQuery, produces: ['application/x-ndjson', 'text/csv'] }),
  'GET /admin/audit-events': row('listAllAuditEvents',
    'Audit events as they are recorded, with the names behind their ids, most recent first', OPERATOR,
    { query: shapes.allAuditQuery, response: shapes.allAuditEvents }),
  'GET /admin/audit-events/export': row('exportAllAuditEvents', 'All of them that fit, as NDJSON', OPERATOR,
    { query: shapes.allAuditQuery, produces: ['application/x-ndjson'] })
})
