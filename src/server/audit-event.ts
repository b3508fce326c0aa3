/** A deed as the audit log keeps it. */
import type { AuditEntry } from '../mcp/audit-recorder.js'
import type { AuditEvent } from '../audit/audit-log.js'

export const toAuditEvent = (
  { principal, method, target, outcome, durationMs, requestId, remoteAddress, client, fields }: AuditEntry
): AuditEvent => ({
  user_id: principal.user.id,
  credential_id: principal.credential.id,
  credential_kind: principal.credential.kind,
  action: target === undefined ? method : `${method} ${target}`,
  workspace_id: fields['workspace_id'] ?? idIn(target, WORKSPACE),
  exploration_id: fields['exploration_id'] ?? idIn(target, EXPLORATION),
  // What the caller is not told: that a record of others exists.
  outcome: fields['outcome'] ?? outcome,
  duration_ms: Math.round(durationMs * 1000) / 1000,
  request_id: requestId,
  client: client?.name === undefined ? undefined : [client.name, client.version].filter(Boolean).join('/'),
  remote_address: remoteAddress
})

const WORKSPACE = /^[a-z][a-z0-9+.-]*:\/\/workspace\/([^/?#]{36,108})(?:\/|$)/
const EXPLORATION = /^[a-z][a-z0-9+.-]*:\/\/exploration\/([^/?#]{36,108})(?:\/|$)/

/** The id that a resource's URI names, where nobody looked the resource up; what is no UUID is left out when it is kept. */
const idIn = (target: string | undefined, pattern: RegExp): string | undefined => {
  const [, id] = pattern.exec(target ?? '') ?? []
  try {
    return id && decodeURIComponent(id)
  } catch {
    return undefined // a stray percent sign
  }
}
