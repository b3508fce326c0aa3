/** What is told of each message while it is worked on, for whoever measures, traces or logs it. Without anybody nothing is told. */
import type { MethodDefinition } from './methods/index.js'
import type { Notification, Request } from './jsonrpc/message.js'
import type { Era, HttpExchange, AdmittedRequest } from './eras/era.js'

/** `definition` is absent where there is no such method. */
export type Instrument = (
  message: Request | Notification, definition: MethodDefinition | undefined, era: Era['name'], exchange: HttpExchange
) => Instrumented

export interface Instrumented {
  /** Does the work in such a way that what it does is known to be part of it. */
  run<T> (work: () => T): T
  /** `outcome`: `ok`, `error` for a result that says so, `task`, `input_required`, or the kind of the fault. */
  finish (outcome: string, admitted?: AdmittedRequest): void
}
