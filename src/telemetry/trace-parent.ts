/** Reads the trace that a client says its message belongs to, without an SDK, so that the log can name it. */

export interface TraceIds { trace_id: string, span_id: string }

// W3C Trace Context, traceparent: version ff is forbidden, and only later versions may have more fields.
const FORM = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/
const MAX_LENGTH = 256

/** The ids of a W3C `traceparent` value. Undefined for an invalid one, which is no reason to refuse a request. */
export const traceIdsOf = (traceparent: unknown): TraceIds | undefined => {
  if (typeof traceparent !== 'string' || traceparent.length > MAX_LENGTH) return undefined
  const [, version, trace, span, more] = FORM.exec(traceparent) ?? []
  if (trace === undefined || span === undefined || (version === '00' && more !== undefined)) return undefined
  return { trace_id: trace, span_id: span }
}
