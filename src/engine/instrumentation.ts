/** The port for metrics, traces and logs: it is called when the work on a message starts and when it ends. */
import type { MethodDefinition } from './methods/index.js'
import type { Notification, Request } from './jsonrpc/message.js'
import type { Era, HttpExchange, AdmittedRequest } from './eras/era.js'

/** Starts the measurement of one message. `definition` is undefined when there is no such method. */
export type Instrument = (
  message: Request | Notification, definition: MethodDefinition | undefined, era: Era['name'], exchange: HttpExchange
) => Instrumented

/** The measurement of one message. */
export interface Instrumented {
  /** Runs the work inside the context of the measurement, so that spans and log lines of the work belong to it. */
  run<T> (work: () => T): T
  /** `outcome` is `ok`, `error` (`isError: true`), `task`, `input_required`, or the kind of the fault. */
  finish (outcome: string, admitted?: AdmittedRequest): void
}
