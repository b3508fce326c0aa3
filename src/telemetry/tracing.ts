/** How a message gets into a trace: as a span with a tracing SDK, else as the trace ids in the log. */
import type { OperationLabels } from '../engine/request-info.js'
import type { HttpExchange, AdmittedRequest } from '../engine/eras/era.js'
import type { Instrumented } from '../engine/instrumentation.js'
import { isObject } from '../lib/json/json-object.js'
import type { Notification, Request } from '../engine/jsonrpc/message.js'
import { traceIdsOf } from './trace-parent.js'

export interface Tracing {
  begin (message: Request | Notification, named: TracedOperation, exchange: HttpExchange): Traced
}

export type TracedOperation = Omit<OperationLabels, 'outcome'>

export interface Traced extends Pick<Instrumented, 'run'> {
  finish (operation: OperationLabels, admitted: AdmittedRequest | undefined): void
}

const untraced: Traced = { run: (work) => work(), finish: () => {} }

/** The message's `_meta`. By 2026-07-28 basic/index#meta (SEP-414) its trace precedes that of the HTTP request. */
export const metaOf = ({ params: { _meta: meta } }: Request | Notification): Readonly<Record<string, unknown>> =>
  isObject(meta) ? meta : {}

/** Without an SDK: copies the client's trace ids into the log. */
export const tracesOfClients: Tracing = {
  begin (message, _named, { about }) {
    const ids = traceIdsOf(metaOf(message)['traceparent'])
    if (ids) about.trace = ids
    return untraced
  }
}
