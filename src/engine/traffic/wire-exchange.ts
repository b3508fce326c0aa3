/** One HTTP exchange on the endpoint, as it was on the wire. */
import type { IncomingHttpHeaders } from 'node:http'

/** One HTTP request to the endpoint with its reply, or with the events of its stream. */
export interface WireExchange {
  /** When the request arrived, in milliseconds since the epoch. */
  at: number
  /** Until the last byte of the reply was written. */
  durationMs: number
  requestId: string
  /** The id of the credential; undefined when there was no valid one. */
  credential: string | undefined
  method: string
  url: string
  headers: Readonly<IncomingHttpHeaders>
  /** The body; undefined when it was not read because the request was refused before. */
  body: string | undefined
  status: number
  replyHeaders: Readonly<Record<string, unknown>>
  /** JSON; undefined when the reply has no body or is a stream. */
  reply: string | undefined
  /** The messages of a stream, at most the first 100. */
  events: readonly string[] | undefined
}

/**
 * Called with each exchange when it is over. It has to return quickly. What it throws is logged and does not affect
 * the request.
 */
export type ExchangeListener = (exchange: WireExchange) => unknown
