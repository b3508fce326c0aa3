/** Converts an audit entry of the protocol engine into an event of the audit log. */
import type { AuditEntry } from '../engine/audit-entry.js'
import type { UserPrincipal } from '../lib/principal.js'
import type { AuditEvent } from '../access/audit/audit-log.js'

export const toAuditEvent = (
  {
    principal, method, target, outcome, durationMs, requestId, remoteAddress, client, fields
  }: AuditEntry<UserPrincipal>
): AuditEvent => ({
  user_id: principal?.user.id,
  credential_id: principal?.credential.id,
  credential_kind: principal?.credential.kind,
  action: target === undefined ? method : `${method} ${target}`,
  workspace_id: fields['workspace_id'] ?? idIn(target, WORKSPACE),
  exploration_id: fields['exploration_id'] ?? idIn(target, EXPLORATION),
  // A subscription or a completion sets an outcome that the caller does not learn: that another tenant's record exists.
  outcome: fields['outcome'] ?? outcome,
  duration_ms: Math.round(durationMs * 1000) / 1000,
  request_id: requestId,
  client: client?.name === undefined ? undefined : [client.name, client.version].filter(Boolean).join('/'),
  remote_address: remoteAddress
})

const WORKSPACE = /^[a-z][a-z0-9+.-]*:\/\/workspace\/([^/?#]{36,108})(?:\/|$)/
const EXPLORATION = /^[a-z][a-z0-9+.-]*:\/\/exploration\/([^/?#]{36,108})(?:\/|$)/

/** The id in a resource's URI, for resources that were not looked up. The audit log drops ids that are no UUIDs. */
const idIn = (target: string | undefined, pattern: RegExp): string | undefined => {
  const [, id] = pattern.exec(target ?? '') ?? []
  try {
    return id && decodeURIComponent(id)
  } catch {
    return undefined // a stray percent sign
  }
}
