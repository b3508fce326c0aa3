/** Writes what an operator did by the management API or the command line into the audit log. */
import type { AuditEvent, AuditLog } from '../access/audit/audit-log.js'

export interface ManagementOperation {
  /** Such as `user/activated`. */
  action: string
  /** The id of the user whom it is about, if it is about one. */
  userId?: string | undefined
  workspaceId?: string | undefined
  explorationId?: string | undefined
  /** `-` when no request asked for it. */
  requestId: string
  /** Who did it, as declared. */
  actor: string | undefined
}

/** Records an operation that succeeded. Resolves once it is committed. */
export const recordOperation = (audit: Pick<AuditLog, 'record'>, operation: ManagementOperation): Promise<void> =>
  audit.record(operationEvent(operation))

/** The event of an operation that succeeded. */
export const operationEvent = (
  { action, userId, workspaceId, explorationId, requestId, actor }: ManagementOperation
): AuditEvent => ({
  user_id: userId,
  workspace_id: workspaceId,
  exploration_id: explorationId,
  action,
  outcome: 'ok',
  duration_ms: 0,
  request_id: requestId,
  remote_address: '-',
  actor
})
