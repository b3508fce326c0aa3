/** The audit log of the web application: what people change and do there, and what is refused. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AuditEvent, AuditLog } from '../access/audit/audit-log.js'
import { refusalEvent, type OnDenial } from '../access/audit/audit-refusals.js'
import { clientAddress } from '../lib/http/client-address.js'
import { withDeadline } from '../lib/async/deadline.js'
import { Fault, Refusal, type FaultKind } from '../lib/errors.js'
import { redactText } from '../lib/redact/redact.js'
import type { WebPerson } from '../administration/permission.js'
import type { AuditFacts } from '../administration/handler.js'
import type { AuditWithin } from '../planning/changes/ports.js'

const AUDIT_TIMEOUT_MS = 15_000
const MAX_CLIENT_CHARS = 100
const DENIED: ReadonlySet<string> = new Set(['forbidden', 'rate_limited'])
const OUTCOMES: Readonly<Record<number, FaultKind>> = { 401: 'unauthorized', 403: 'forbidden', 429: 'rate_limited' }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A 401 of this route is a failed sign-in; elsewhere no one is signed in, as at each first visit. */
    signIn?: boolean
  }
}

type Audit = Pick<AuditLog, 'record'>

const requestParts = ({ id, ip, headers: { 'user-agent': agent } }: FastifyRequest) => ({
  request_id: id,
  client: agent === undefined ? undefined : redactText(agent).slice(0, MAX_CLIENT_CHARS),
  remote_address: clientAddress(ip)
})

export interface AuditedChange {
  audit: Audit
  /** The operation's id; the action is `web/<id>`, followed by the target. */
  operation: string
  person: WebPerson
  request: FastifyRequest
  /** Read when the work has ended. */
  facts: AuditFacts
}

/**
 * Runs the work and records how it ended, unless the work has written that it succeeded.
 * @throws what the work throws, and `Fault` `unavailable` when the event could not be recorded
 */
export const auditChange = async <T>(
  { audit, operation, person: { user }, request, facts }: AuditedChange, work: (auditWithin: AuditWithin) => Promise<T>
): Promise<T> => {
  const started = performance.now()
  let isWritten = false
  const eventOf = (outcome: string): AuditEvent => {
    const { target, ...ids } = facts
    return {
      user_id: user.id,
      ...ids,
      action: target === undefined ? `web/${operation}` : `web/${operation} ${target}`,
      outcome,
      duration_ms: Math.round((performance.now() - started) * 1000) / 1000,
      ...requestParts(request),
      actor: user.email
    }
  }
  const record = async (outcome: string): Promise<void> => {
    if (isWritten) return
    await withDeadline(() => audit.record(eventOf(outcome)), AUDIT_TIMEOUT_MS, 'The audit record could not be written.')
  }
  const auditWithin: AuditWithin = async (write) => {
    const made = await write(() => eventOf('ok'))
    isWritten = true
    return made
  }
  let result: T
  try {
    result = await work(auditWithin)
  } catch (error) {
    // What is answered with 403 or 429 is recorded as every other denial.
    if (!(error instanceof Fault && DENIED.has(error.kind))) await record(outcomeOf(error))
    throw error
  }
  await record('ok')
  return result
}

const outcomeOf = (error: unknown): string => {
  if (error instanceof Refusal) return error.reason
  return error instanceof Fault ? error.kind : 'internal_error'
}

/** Records an action, such as `passkey/created`, by the person who is signed in, or by `about.user_id`. */
export const recordAction = async (
  audit: Audit, request: FastifyRequest, action: string, about: Partial<AuditEvent>
): Promise<void> => {
  const userId = request.web?.user.id
  await audit.record({ user_id: userId, action, outcome: 'ok', duration_ms: 0, ...requestParts(request), ...about })
}

/** Records what is refused: another origin, a missing right, an exceeded limit, a failed sign-in. */
export const auditDenials = (app: FastifyInstance, onDenial: OnDenial): void => {
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const outcome = OUTCOMES[statusCode]
    if (outcome !== undefined && (statusCode !== 401 || request.routeOptions.config.signIn === true)) {
      onDenial({ ...refusalEvent(outcome, request), user_id: request.web?.user.id })
    }
    done()
  })
}
