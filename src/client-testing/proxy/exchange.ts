/** A request of a client as the proxy received it, and one exchange as it was on the wire. */
import type { IncomingHttpHeaders } from 'node:http'
import { asObject, type JsonObject } from '../../lib/json/json-object.js'
import { parseExchange, type EraName, type Message, type WireExchange } from '../../engine/engine.js'

export interface ClientRequest {
  /** 1 for the first request of the run. */
  number: number
  method: string
  url: string
  headers: Readonly<IncomingHttpHeaders>
  body: Buffer
  /** The JSON-RPC message; undefined when the body is empty, a batch, or no message. */
  message: Message | undefined
  era: EraName
  /** Aborts when the client closed the connection before the reply ended. */
  signal: AbortSignal
}

/** What an exchange has when its reply is not there yet. */
const WITHOUT_REPLY = {
  at: 0,
  durationMs: 0,
  requestId: '',
  credential: undefined,
  status: 0,
  replyHeaders: {},
  reply: undefined,
  events: undefined
} as const

export const createClientRequest = (call: Omit<ClientRequest, 'message' | 'era'>): ClientRequest => {
  const { era, messages = [], isBatch } = parseExchange({ ...WITHOUT_REPLY, ...call, body: call.body.toString() })
  const parsed = isBatch ? undefined : messages[0]?.parsed
  return { ...call, message: parsed?.kind === 'fault' ? undefined : parsed, era }
}

export const methodOf = ({ message }: ClientRequest): string | undefined =>
  message && message.kind !== 'response' ? message.method : undefined

export const paramsOf = ({ message }: ClientRequest): JsonObject => message?.kind === 'request' ? message.params : {}

export const metaOf = (call: ClientRequest): JsonObject => asObject(paramsOf(call)['_meta'])

/** The capabilities that a request of 2026-07-28 declares. */
export const capabilitiesOf = (call: ClientRequest): JsonObject =>
  asObject(metaOf(call)['io.modelcontextprotocol/clientCapabilities'])

export const idOf = ({ message }: ClientRequest): string | number | undefined =>
  message?.kind === 'request' ? message.id : undefined

/** Whether a call is a JSON-RPC request: any, or one of these methods. */
export const isRequest = ({ message }: ClientRequest, ...methods: string[]): boolean =>
  message?.kind === 'request' && (methods.length === 0 || methods.includes(message.method))

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
