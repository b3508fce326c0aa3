/**
 * How each era reports each kind of fault: HTTP status and JSON-RPC code. Codes that JSON-RPC does not define are
 * the HTTP status itself.
 */
import type { Fault, FaultKind } from '../../lib/errors.js'
import type { RpcError } from '../jsonrpc/message.js'
import { clauseOf } from './clauses.js'

export interface FaultReply { status: number, headers: Record<string, string>, error: RpcError }

type Pair = readonly [status: number, code: number]

/* eslint-disable @stylistic/no-multi-spaces, @stylistic/key-spacing -- a table */
/** Status and code of each kind. */
export const FAULT_REPLIES: Record<FaultKind, { legacy: Pair, modern: Pair }> = {
  parse_error:            { legacy: [400, -32700], modern: [400, -32700] },
  invalid_request:        { legacy: [400, -32600], modern: [400, -32600] },
  method_not_found:       { legacy: [200, -32601], modern: [404, -32601] },
  invalid_params:         { legacy: [200, -32602], modern: [400, -32602] },
  resource_not_found:     { legacy: [200, -32002], modern: [400, -32602] },
  internal_error:         { legacy: [200, -32603], modern: [500, -32603] },
  header_mismatch:        { legacy: [400, 400],    modern: [400, -32020] },
  missing_capability:     { legacy: [200, -32602], modern: [400, -32021] },
  unsupported_version:    { legacy: [400, 400],    modern: [400, -32022] },
  foreign_origin:         { legacy: [403, 403],    modern: [403, 403] },
  unauthorized:           { legacy: [401, 401],    modern: [401, 401] },
  forbidden:              { legacy: [403, 403],    modern: [403, 403] },
  rate_limited:           { legacy: [429, 429],    modern: [429, 429] },
  method_not_allowed:     { legacy: [405, 405],    modern: [405, 405] },
  not_acceptable:         { legacy: [406, 406],    modern: [406, 406] },
  unsupported_media_type: { legacy: [415, 415],    modern: [415, 415] },
  content_too_large:      { legacy: [413, 413],    modern: [413, 413] },
  session_required:       { legacy: [400, 400],    modern: [400, 400] },
  session_not_found:      { legacy: [404, 404],    modern: [404, 404] },
  too_many_streams:       { legacy: [429, 429],    modern: [429, 429] },
  too_many_tasks:         { legacy: [429, 429],    modern: [429, 429] },
  unavailable:            { legacy: [503, 503],    modern: [503, 503] },
  // No one reads the reply to a cancelled request.
  cancelled:              { legacy: [202, 202],    modern: [202, 202] }
}
/* eslint-enable @stylistic/no-multi-spaces, @stylistic/key-spacing */

/** Returns the JSON-RPC code of a kind of fault; undefined for any other text. */
export const codeOf = (outcome: string, era: 'legacy' | 'modern'): number | undefined =>
  isFaultKind(outcome) ? FAULT_REPLIES[outcome][era][1] : undefined

const isFaultKind = (outcome: string): outcome is FaultKind => Object.hasOwn(FAULT_REPLIES, outcome)

/** Returns the reply to a fault. `error.data.spec` names the clause of the specification. */
export const faultReply = (fault: Fault, era: 'legacy' | 'modern'): FaultReply => {
  const [status, code] = FAULT_REPLIES[fault.kind][era]
  const after = fault.data?.['retry_after_seconds']
  const headers: Record<string, string> = typeof after === 'number' ? { 'retry-after': `${after}` } : {}
  const data = { ...fault.data, spec: clauseOf(fault.kind, era) }
  return { status, headers, error: { code, message: fault.message, data } }
}
