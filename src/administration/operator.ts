/**
 * The operator of the socket as the command line declares them, and the user for whom they ask: the socket itself
 * proves only its owner's user account. And events of the audit log about what they did.
 */
import { unescape } from 'node:querystring'
import type { FastifyRequest } from 'fastify'
import type { AuditEvent } from '../access/audit/audit-log.js'
import type { AuditFacts } from './handler.js'

export const ACTOR_HEADER = 'exploration-mcp-actor'
/** The user's id or e-mail address, with percent signs. */
export const USER_HEADER = 'exploration-mcp-user'

export const declaredActor = ({ headers }: FastifyRequest): string | undefined => {
  const actor = headers[ACTOR_HEADER]
  return typeof actor === 'string' && actor !== '' ? actor.slice(0, 100) : undefined
}

export const userNamed = ({ headers }: FastifyRequest): string | undefined => {
  const user = headers[USER_HEADER]
  return typeof user === 'string' ? unescape(user) : undefined
}

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
