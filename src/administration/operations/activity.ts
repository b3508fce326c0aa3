/** What was called, by whom, and how it ended. */
import allAuditEvents from '#schemas/administration/audit_events.json' with { type: 'json' }
import allAuditQuery from '#schemas/administration/audit_query.json' with { type: 'json' }
import auditEvents from '#schemas/web/audit_events.json' with { type: 'json' }
import auditExportQuery from '#schemas/web/audit_export_query.json' with { type: 'json' }
import auditQuery from '#schemas/web/audit_query.json' with { type: 'json' }
import usage from '#schemas/web/usage.json' with { type: 'json' }
import usageQuery from '#schemas/web/usage_query.json' with { type: 'json' }
import { row, tagged } from '../operation.js'
import { OPERATOR, OWN_OR_ALL } from '../permission.js'

export const activityOperations = tagged('activity', {
  'GET /usage': row('getUsage', 'Calls over time', OWN_OR_ALL, { query: usageQuery, response: usage }),
  'GET /audit-events': row('listAuditEvents', 'Audit events, most recent first', OWN_OR_ALL,
    { query: auditQuery, response: auditEvents }),
  'GET /audit-events/export': row('exportAuditEvents', 'All audit events that fit, as NDJSON or CSV', OWN_OR_ALL,
    { query: auditExportQuery, produces: ['application/x-ndjson', 'text/csv'] }),
  'GET /admin/audit-events': row('listAllAuditEvents',
    'Audit events as they are recorded, with the names behind their ids, most recent first', OPERATOR,
    { query: allAuditQuery, response: allAuditEvents }),
  'GET /admin/audit-events/export': row('exportAllAuditEvents', 'All of them that fit, as NDJSON', OPERATOR,
    { query: allAuditQuery, produces: ['application/x-ndjson'] })
})
