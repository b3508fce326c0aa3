/** What the audit log is told of a refusal at the door; later ones are told with the deed. */
import type { FastifyRequest } from 'fastify'
import type { Fault, FaultKind } from '../lib/errors.js'
import type { AuditEvent } from './audit-log.js'
import { redactText } from '../lib/redact/redact.js'
import { clientAddress } from '../http/client-address.js'

const AT_THE_DOOR: readonly FaultKind[] = ['unauthorized', 'foreign_origin', 'rate_limited', 'too_many_streams']

export const toDenialEvent = (
  { kind, data }: Fault, { caller, id, ip, headers }: FastifyRequest
): AuditEvent | undefined => {
  if (!AT_THE_DOOR.includes(kind)) return undefined
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
