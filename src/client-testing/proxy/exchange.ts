/** One exchange between a client and the proxy, as it was on the wire. */
import { eventDataIn } from '../../lib/json/event-data.js'
import type { WireExchange } from '../../engine/engine.js'
import { WITHOUT_REPLY, type ClientRequest } from './client-request.js'
import type { SentReply } from './send.js'

export interface Exchange extends WireExchange {
  /** 1 for the first request of the run. */
  number: number
  call: ClientRequest
  /** What the proxy did wrong on purpose; undefined when the exchange was correct. */
  injected: string | undefined
  /** Whether the reply was longer than what is stored of it. */
  truncated: boolean
  /** When the reply ended, in milliseconds since the epoch; undefined while it is open. */
  end: number | undefined
}

/** Whether it went to the endpoint of the protocol: clients also look for metadata, and ask authorization servers. */
export const isProtocol = ({ url }: Pick<Exchange, 'url'>): boolean => /^\/mcp(?:[/?]|$)/.test(url)

const MAX_EVENTS = 100

/** Creates the exchange of a call that has no reply yet. */
export const openExchange = (call: ClientRequest, at: number, credential: string | undefined): Exchange => ({
  number: call.number,
  call,
  injected: undefined,
  truncated: false,
  ...WITHOUT_REPLY,
  at,
  end: undefined,
  requestId: `request-${call.number}`,
  credential,
  method: call.method,
  url: call.url,
  headers: call.headers,
  body: call.body.length > 0 ? call.body.toString() : undefined
})

/** Completes an exchange by what was sent. Mutates it. */
export const closeExchange = (
  exchange: Exchange, { status, headers, body, truncated, at: end }: SentReply
): void => {
  const isStream = String(headers['content-type']).startsWith('text/event-stream')
  Object.assign(exchange, {
    status,
    truncated,
    replyHeaders: headers,
    durationMs: end - exchange.at,
    end,
    reply: isStream || body === '' ? undefined : body,
    events: isStream ? eventDataIn(body).slice(0, MAX_EVENTS) : undefined
  })
}
