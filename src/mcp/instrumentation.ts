/** What is told of each message while it is worked on, for whoever measures, traces or logs it. Without anybody nothing is told. */
import type { Entry } from './methods/index.js'
import type { Notification, Request } from './jsonrpc/message.js'
import type { Era, Exchange, Opened } from './eras/era.js'

/** `entry` is absent where there is no such method. */
export type Watch = (message: Request | Notification, entry: Entry | undefined, era: Era['name'], exchange: Exchange) => Watched

export interface Watched {
  /** Does the work in such a way that what it does is known to be part of it. */
  within<T> (work: () => T): T
  /** `outcome`: `ok`, `error` for a result that says so, `task`, `input_required`, or the kind of the fault. */
  ended (outcome: string, opened?: Opened): void
}
