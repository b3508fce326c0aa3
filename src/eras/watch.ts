/** What is told of each message while it is worked on, for whoever measures, traces or logs it. Without anybody nothing is told. */
import type { Fault } from '../errors.js'
import type { Entry } from '../methods/index.js'
import type { Notification, Request } from '../rpc/message.js'
import type { Era, Exchange, Opened } from './era.js'

/** `entry` is absent where there is no such method. */
export type Watch = (message: Request | Notification, entry: Entry | undefined, era: Era['name'], exchange: Exchange) => Watched

export interface Watched {
  /** Does the work in such a way that what it does is known to be part of it. */
  within<T> (work: () => T): T
  /** `outcome`: `ok`, `error` for a result that says so, `task`, `input_required`, or the kind of the fault. */
  ended (outcome: string, opened?: Opened): void
}

/** What is learnt of an HTTP request on its way. */
export interface About {
  /** The trace that it belongs to, as the log says it. */
  trace?: { trace_id: string, span_id: string }
  /** What it asks for, and how that ended so far. */
  operation?: Operation
  /** Why it was refused before its message was understood. */
  refused?: Fault
}

/** Names of which there are few, whatever clients send. */
export interface Operation {
  /** `other` where there is no such method. */
  method: string
  /** The tool that is called; empty where there is none, or no such tool. */
  tool: string
  era: Era['name']
  outcome: string
}
