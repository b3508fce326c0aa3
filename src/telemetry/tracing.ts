/** How a message gets into a trace: as a span with a tracing SDK, else as the trace ids in the log. */
import type { OperationLabels } from '../engine/request-info.js'
import type { HttpExchange, AdmittedRequest } from '../engine/eras/era.js'
import type { Instrumented } from '../engine/instrumentation.js'
import { asObject, type JsonObject } from '../lib/json/json-object.js'
import type { Notification, Request } from '../engine/jsonrpc/message.js'

export type TracedOperation = Omit<OperationLabels, 'outcome'>

export interface Tracing {
  begin (message: Request | Notification, named: TracedOperation, exchange: HttpExchange): Pick<Instrumented, 'run'> &
    { finish (operation: OperationLabels, admitted: AdmittedRequest | undefined): void }
}

export const UNTRACED = { run: <T>(work: () => T): T => work(), finish: (): void => {} }

/** The message's `_meta`. By 2026-07-28 basic/index#meta (SEP-414) its trace precedes that of the HTTP request. */
export const metaOf = ({ params: { _meta: meta } }: Request | Notification): JsonObject => asObject(meta)

/** Without an SDK: copies the client's trace ids into the log. */
export const tracesOfClients: Tracing = {
  begin (message, _named, { about }) {
    const ids = traceIdsOf(metaOf(message)['traceparent'])
    if (ids) about.trace = ids
    return UNTRACED
  }
}

// W3C Trace Context, traceparent: version ff is forbidden, and only later versions may have more fields.
const FORM = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/
const MAX_LENGTH = 256

/** The ids of a W3C `traceparent` value. Undefined for an invalid one, which is no reason to refuse a request. */
export const traceIdsOf = (traceparent: unknown): { trace_id: string, span_id: string } | undefined => {
  if (typeof traceparent !== 'string' || traceparent.length > MAX_LENGTH) return undefined
  const [, version, trace, span, more] = FORM.exec(traceparent) ?? []
  if (trace === undefined || span === undefined || (version === '00' && more !== undefined)) return undefined
  return { trace_id: trace, span_id: span }
}
