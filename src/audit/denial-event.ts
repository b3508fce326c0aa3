/** Turns the rejection of an MCP request into an audit event. */
import type { FastifyRequest } from 'fastify'
import type { Fault, FaultKind } from '../lib/errors.js'
import type { AuditEvent } from './audit-log.js'
import { redactText } from '../lib/redact/redact.js'
import { clientAddress } from '../http/client-address.js'

// Later faults are audited with the method that failed.
const BEFORE_METHOD: readonly FaultKind[] = ['unauthorized', 'foreign_origin', 'rate_limited', 'too_many_streams']

/** Returns the audit event of a request that was rejected before its method ran; undefined for other kinds of fault. */
export const toDenialEvent = (
  { kind, data }: Fault, { caller, id, ip, headers }: FastifyRequest
): AuditEvent | undefined => {
  if (!BEFORE_METHOD.includes(kind)) return undefined
  const principal = caller && 'principal' in caller ? caller.principal : undefined
  return {
    user_id: principal?.user.id,
    credential_id: principal?.credential.id,
    credential_kind: principal?.credential.kind,
    action: ['refused', data?.['reason'] ?? data?.['window']].filter(Boolean).join(' '),
    outcome: kind,
    duration_ms: 0,
    request_id: id,
    client: userAgentOf(headers['user-agent']),
    remote_address: clientAddress(ip)
  }
}

const userAgentOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : redactText(text).slice(0, 100)
