/** The state of one request while an era handles it. */
import { Fault } from '../lib/errors.js'
import type { MethodDefinition } from './methods/index.js'
import type { ServerFeatures, MethodResult } from './methods/method.js'
import type { Request } from './jsonrpc/message.js'
import type { AuditSink, createAuditRecorder } from './audit-recorder.js'
import type { Era, HttpExchange, AdmittedRequest } from './eras/era.js'
import type { LazyAbortController } from './cancellation.js'
import type { Instrument } from './instrumentation.js'

export interface ProtocolEngine {
  eras: Readonly<Record<Era['name'], Era>>
  methods: ReadonlyMap<string, MethodDefinition>
  features: ServerFeatures
  /** Nothing is recorded when undefined. */
  audit?: AuditSink | undefined
  /** Told once of whatever is not the client's doing. */
  onUnexpectedError (error: unknown, where: Pick<HttpExchange, 'requestId' | 'about'>): void
  /** Told of each message and how it ended. */
  instrument?: Instrument | undefined
}

export interface RequestExecution {
  engine: ProtocolEngine
  era: Era
  request: Request
  /** The method that it asks for, if there is one. */
  definition: MethodDefinition | undefined
  exchange: HttpExchange
  auditRecorder: ReturnType<typeof createAuditRecorder>
  cancellation: LazyAbortController
  admitted: AdmittedRequest | undefined
  /** Whether the work goes on when the caller goes. */
  detached: boolean
}

export const outcomeOf = ({ result }: MethodResult): string => result['isError'] === true ? 'error' : 'ok'

export const toFault = ({ onUnexpectedError }: ProtocolEngine, error: unknown, exchange: HttpExchange): Fault => {
  if (error instanceof Fault && error.kind !== 'unavailable') return error
  if (!(error instanceof Fault) || error.cause !== undefined) onUnexpectedError(error, exchange)
  return error instanceof Fault ? error : internalFault(exchange.requestId)
}

/** The fault for an unexpected error: it tells the client nothing but the id under which the log has the cause. */
export const internalFault = (requestId: string): Fault => new Fault(
  'internal_error', `Something went wrong on the server. Tell its operator this request id: ${requestId}.`,
  { request_id: requestId }
)
