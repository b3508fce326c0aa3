/**
 * How each era reports each kind of fault: HTTP status, JSON-RPC code, and the clause of the specification behind it.
 * Codes that JSON-RPC does not define are the HTTP status itself.
 */
import type { Fault, FaultKind } from '../../lib/errors.js'
import type { RpcError } from '../jsonrpc/message.js'
import type { Revision } from '../revisions.js'
import type { EraName } from './era.js'

/** A place in the specification: a page and an anchor of one revision. */
export interface Clause {
  revision: Revision
  page: string
  anchor: string
}

/** A place in the specification, whatever the revision. */
export type ClauseRef = readonly [page: string, anchor: string]

export interface FaultReply { status: number, headers: Record<string, string>, error: RpcError }

type Row = readonly [status: number, code: number, ...clause: ClauseRef]

/* eslint-disable @stylistic/no-multi-spaces, @stylistic/key-spacing, @stylistic/max-len -- a table */
const OLD = 'basic/transports'
const NEW = 'basic/transports/streamable-http'
export const FAULTS: Record<FaultKind, Record<EraName, Row>> = {
  parse_error:            { legacy: [400, -32700, OLD, 'sending-messages-to-the-server'],                modern: [400, -32700, NEW, 'sending-messages'] },
  invalid_request:        { legacy: [400, -32600, 'basic', 'messages'],                                  modern: [400, -32600, 'basic', 'messages'] },
  method_not_found:       { legacy: [200, -32601, 'basic', 'error-responses'],                           modern: [404, -32601, 'basic', 'error-codes'] },
  invalid_params:         { legacy: [200, -32602, 'server/tools', 'error-handling'],                     modern: [400, -32602, 'basic', 'error-codes'] },
  resource_not_found:     { legacy: [200, -32002, 'server/resources', 'error-handling'],                 modern: [400, -32602, 'server/resources', 'error-handling'] },
  internal_error:         { legacy: [200, -32603, 'basic', 'error-responses'],                           modern: [500, -32603, 'basic', 'error-codes'] },
  header_mismatch:        { legacy: [400, 400, OLD, 'protocol-version-header'],                          modern: [400, -32020, NEW, 'server-validation'] },
  missing_capability:     { legacy: [200, -32602, 'basic/lifecycle', 'capability-negotiation'],          modern: [400, -32021, 'basic', 'meta'] },
  unsupported_version:    { legacy: [400, 400, OLD, 'protocol-version-header'],                          modern: [400, -32022, 'basic/versioning', 'protocol-version-negotiation'] },
  foreign_origin:         { legacy: [403, 403, OLD, 'security-warning'],                                 modern: [403, 403, NEW, 'security-endpoint'] },
  unauthorized:           { legacy: [401, 401, 'basic/authorization', 'token-handling'],                 modern: [401, 401, 'basic/authorization', 'token-handling'] },
  forbidden:              { legacy: [403, 403, 'basic/authorization', 'error-handling'],                 modern: [403, 403, 'basic/authorization', 'error-handling'] },
  rate_limited:           { legacy: [429, 429, 'server/tools', 'security-considerations'],               modern: [429, 429, 'server/tools', 'security-considerations'] },
  method_not_allowed:     { legacy: [405, 405, OLD, 'listening-for-messages-from-the-server'],           modern: [405, 405, NEW, 'earlier-streamable-http-revisions'] },
  not_acceptable:         { legacy: [406, 406, OLD, 'sending-messages-to-the-server'],                   modern: [406, 406, NEW, 'sending-messages'] },
  unsupported_media_type: { legacy: [415, 415, OLD, 'sending-messages-to-the-server'],                   modern: [415, 415, NEW, 'sending-messages'] },
  content_too_large:      { legacy: [413, 413, OLD, 'sending-messages-to-the-server'],                   modern: [413, 413, NEW, 'sending-messages'] },
  session_required:       { legacy: [400, 400, OLD, 'session-management'],                               modern: [400, 400, 'basic', 'statelessness'] },
  session_not_found:      { legacy: [404, 404, OLD, 'session-management'],                               modern: [404, 404, 'basic', 'statelessness'] },
  too_many_streams:       { legacy: [429, 429, OLD, 'multiple-connections'],                             modern: [429, 429, 'basic/patterns/subscriptions', 'multiple-concurrent-subscriptions'] },
  too_many_tasks:         { legacy: [429, 429, 'server/tools', 'security-considerations'],               modern: [429, 429, 'server/tools', 'security-considerations'] },
  unavailable:            { legacy: [503, 503, OLD, 'sending-messages-to-the-server'],                   modern: [503, 503, NEW, 'sending-messages'] },
  // No one reads the reply to a cancelled request.
  cancelled:              { legacy: [202, 202, 'basic/utilities/cancellation', 'behavior-requirements'], modern: [202, 202, 'basic/patterns/cancellation', 'behavior-requirements'] }
}
/* eslint-enable @stylistic/no-multi-spaces, @stylistic/key-spacing, @stylistic/max-len */

const REVISION = { legacy: '2025-11-25', modern: '2026-07-28' } as const

export const toClause = ([page, anchor]: ClauseRef, era: EraName): Clause => ({ revision: REVISION[era], page, anchor })

export const codeOf = (outcome: string, era: EraName): number | undefined =>
  isFaultKind(outcome) ? FAULTS[outcome][era][1] : undefined

const isFaultKind = (outcome: string): outcome is FaultKind => Object.hasOwn(FAULTS, outcome)

export const faultReply = (fault: Fault, era: EraName): FaultReply => {
  const [status, code, ...clause] = FAULTS[fault.kind][era]
  const after = fault.data?.['retry_after_seconds']
  const headers: Record<string, string> = typeof after === 'number' ? { 'retry-after': `${after}` } : {}
  const data = { ...fault.data, spec: toClause(clause, era) }
  return { status, headers, error: { code, message: fault.message, data } }
}
