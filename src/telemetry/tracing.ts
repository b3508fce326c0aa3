/** How a message gets into a trace: as a span where spans are kept, else as what the log says of it. */
import type { OperationLabels } from '../mcp/request-info.js'
import type { HttpExchange, AdmittedRequest } from '../mcp/eras/era.js'
import type { Instrumented } from '../mcp/instrumentation.js'
import { isObject } from '../mcp/jsonrpc/parse.js'
import type { Notification, Request } from '../mcp/jsonrpc/message.js'
import { traceIdsOf } from './trace-parent.js'

export interface Tracing {
  begin (message: Request | Notification, named: OperationName, exchange: HttpExchange): Traced
}

export type OperationName = Omit<OperationLabels, 'outcome'>

export interface Traced extends Pick<Instrumented, 'run'> {
  finish (operation: OperationLabels, admitted: AdmittedRequest | undefined): void
}

const untraced: Traced = { run: (work) => work(), finish: () => {} }

/** 2026-07-28 basic/index#meta, SEP-414: the trace of the message itself comes before that of its HTTP request. */
export const metaOf = ({ params: { _meta: meta } }: Request | Notification): Readonly<Record<string, unknown>> =>
  isObject(meta) ? meta : {}

export const tracesOfClients: Tracing = {
  begin (message, _named, { about }) {
    const ids = traceIdsOf(metaOf(message)['traceparent'])
    if (ids) about.trace = ids
    return untraced
  }
}
