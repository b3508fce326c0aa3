/** A deed as the audit log keeps it. */
import type { Deed } from './eras/deed.js'
import type { AuditEvent } from './store/audit.js'

export const auditEventOf = (
  { principal, method, target, outcome, durationMs, requestId, remoteAddress, client, notes }: Deed
): AuditEvent => ({
  user_id: principal.user.id,
  credential_id: principal.credential.id,
  credential_kind: principal.credential.kind,
  action: (target === undefined ? method : `${method} ${target}`).slice(0, 500),
  workspace_id: notes['workspace_id'],
  exploration_id: notes['exploration_id'],
  // What the caller is not told: that a record of others exists.
  outcome: notes['outcome'] ?? outcome,
  duration_ms: Math.round(durationMs * 1000) / 1000,
  request_id: requestId,
  client: client?.name === undefined ? undefined : [client.name, client.version].filter(Boolean).join('/'),
  remote_address: remoteAddress
})
