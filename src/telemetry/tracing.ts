/** How a message gets into a trace: as a span where spans are kept, else as what the log says of it. */
import type { Operation } from '../mcp/request-info.js'
import type { Exchange, Opened } from '../mcp/eras/era.js'
import type { Watched } from '../mcp/instrumentation.js'
import { isObject } from '../mcp/jsonrpc/parse.js'
import type { Notification, Request } from '../mcp/jsonrpc/message.js'
import { traceIdsOf } from './trace-parent.js'

export interface Tracing {
  begin (message: Request | Notification, named: Named, exchange: Exchange): Traced
}

export type Named = Omit<Operation, 'outcome'>

export interface Traced extends Pick<Watched, 'within'> {
  ended (operation: Operation, opened: Opened | undefined): void
}

const untraced: Traced = { within: (work) => work(), ended: () => {} }

/** 2026-07-28 basic/index#meta, SEP-414: the trace of the message itself comes before that of its HTTP request. */
export const metaOf = ({ params: { _meta: meta } }: Request | Notification): Readonly<Record<string, unknown>> => isObject(meta) ? meta : {}

export const tracesOfClients: Tracing = {
  begin (message, _named, { about }) {
    const ids = traceIdsOf(metaOf(message)['traceparent'])
    if (ids) about.trace = ids
    return untraced
  }
}
