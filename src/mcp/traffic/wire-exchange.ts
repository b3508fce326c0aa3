/** One HTTP exchange on the endpoint as it was on the wire, for whoever looks on. */
import type { IncomingHttpHeaders } from 'node:http'

export interface WireExchange {
  /** When the request came, in milliseconds since the epoch. */
  at: number
  /** Until the last of the reply was said. */
  durationMs: number
  requestId: string
  /** The credential's id; undefined when there was no valid one. */
  credential: string | undefined
  method: string
  url: string
  headers: Readonly<IncomingHttpHeaders>
  /** What was read of it; undefined when the request was refused before. */
  body: string | undefined
  status: number
  replyHeaders: Readonly<Record<string, unknown>>
  /** JSON; undefined when the reply has no body or is a stream. */
  reply: string | undefined
  /** The messages of a stream, the first ones when there are too many. */
  events: readonly string[] | undefined
}

/** Told of each exchange when it is over. Has to be quick; what it throws is logged, and harms nobody. */
export type ExchangeListener = (exchange: WireExchange) => unknown
