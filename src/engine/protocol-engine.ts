/** The parts of an engine that handle a request, and how its errors become faults. */
import { Fault } from '../lib/errors.js'
import type { Around } from './around/around.js'
import type { AuditSink } from './audit-entry.js'
import type { Era, HttpExchange } from './eras/era.js'
import type { Instrument } from './instrumentation.js'
import type { MethodDefinition } from './methods/index.js'
import type { ServerFeatures } from './methods/method.js'

export interface ProtocolEngine {
  eras: Readonly<Record<Era['name'], Era>>
  methods: ReadonlyMap<string, MethodDefinition>
  features: ServerFeatures
  around?: Around | undefined
  audit?: AuditSink | undefined
  /** Receives each error that is not the client's, once. */
  onUnexpectedError (error: unknown, where: Pick<HttpExchange, 'requestId' | 'about'>): void
  instrument?: Instrument | undefined
}

/** Returns the fault for an error. Reports errors that are not the client's. */
export const toFault = (
  { onUnexpectedError }: ProtocolEngine, error: unknown, exchange: Pick<HttpExchange, 'requestId' | 'about'>
): Fault => {
  if (error instanceof Fault && error.kind !== 'unavailable') return error
  if (!(error instanceof Fault) || error.cause !== undefined) onUnexpectedError(error, exchange)
  return error instanceof Fault ? error : internalFault(exchange.requestId)
}

/** The fault for an unexpected error: it tells the client nothing but the id under which the log has the cause. */
export const internalFault = (requestId: string): Fault => new Fault(
  'internal_error', `Internal error. Tell the operator of the server this request id: ${requestId}.`,
  { request_id: requestId }
)
