/** Records each change that a person makes in the web application, also one that was refused. */
import type { FastifyRequest } from 'fastify'
import type { AuditEvent, AuditLog } from '../access/audit/audit-log.js'
import { clientAddress } from '../lib/http/client-address.js'
import { withDeadline } from '../lib/async/deadline.js'
import { Fault, Refusal } from '../lib/errors.js'
import { redactText } from '../lib/redact/redact.js'
import type { WebPerson } from '../administration/permission.js'
import type { AuditFacts } from '../administration/handler.js'
import type { AuditWithin } from '../planning/changes/ports.js'

const AUDIT_TIMEOUT_MS = 15_000
const MAX_CLIENT_CHARS = 100
const DENIED: ReadonlySet<string> = new Set(['forbidden', 'rate_limited'])

export interface AuditedChange {
  audit: Pick<AuditLog, 'record'>
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
      request_id: request.id,
      client: clientOf(request),
      remote_address: clientAddress(request.ip),
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

const clientOf = ({ headers: { 'user-agent': agent } }: FastifyRequest): string | undefined =>
  agent === undefined ? undefined : redactText(agent).slice(0, MAX_CLIENT_CHARS)
