/** Events of the audit log about what an operator did, by the management API or the command line. */
import type { AuditEvent } from '../access/audit/audit-log.js'
import type { AuditFacts } from './handler.js'

/** Recorded at a start, too. A service account has `service_account/created`, which the database writes. */
export const USER_CREATED = 'user/created'
export const SIGN_IN_LINK_CREATED = 'sign_in_link/created'

/** The event of an operation that succeeded. `actor` is as declared; the id is `-` where no request asked for it. */
export const operationEvent = (
  action: string, { target, ...ids }: AuditFacts, actor: string | undefined, requestId = '-'
): AuditEvent => ({
  ...ids,
  action: target === undefined ? action : `${action} ${target}`,
  outcome: 'ok',
  duration_ms: 0,
  request_id: requestId,
  remote_address: '-',
  actor
})
