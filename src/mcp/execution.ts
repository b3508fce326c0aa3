/** The state of one request while an era handles it. */
import { Fault } from '../lib/errors.js'
import type { MethodDefinition } from './methods/index.js'
import type { ServerFeatures, MethodResult } from './methods/method.js'
import type { Request } from './jsonrpc/message.js'
import type { createAuditRecorder, WriteAudit } from './audit-recorder.js'
import type { Era, HttpExchange, AdmittedRequest } from './eras/era.js'
import type { LazyAbortController } from './cancellation.js'
import type { Instrument } from './instrumentation.js'

export interface ProtocolEngine {
  eras: Readonly<Record<Era['name'], Era>>
  methods: ReadonlyMap<string, MethodDefinition>
  features: ServerFeatures
  /** The answer waits for it. */
  writeAudit: WriteAudit
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
  if (error instanceof Fault) return error
  const { requestId } = exchange
  return new Fault('internal_error', `Something went wrong on the server. Tell its operator this request id: ${requestId}.`, { request_id: requestId })
}
