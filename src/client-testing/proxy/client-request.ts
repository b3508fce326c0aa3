/** A request of a client as the proxy received it. */
import type { IncomingHttpHeaders } from 'node:http'
import { asObject, type JsonObject } from '../../lib/json/json-object.js'
import { parseExchange, type EraName, type Message } from '../../engine/engine.js'

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

/** Parses the message of a call and decides its era. */
export const createClientRequest = (call: Omit<ClientRequest, 'message' | 'era'>): ClientRequest => {
  const { era, messages = [], isBatch } = parseExchange({ ...WITHOUT_REPLY, ...call, body: call.body.toString() })
  const parsed = isBatch ? undefined : messages[0]?.parsed
  return { ...call, message: parsed?.kind === 'fault' ? undefined : parsed, era }
}

/** What an exchange has when its reply is not there yet. */
export const WITHOUT_REPLY = {
  at: 0,
  durationMs: 0,
  requestId: '',
  credential: undefined,
  status: 0,
  replyHeaders: {},
  reply: undefined,
  events: undefined
} as const

/** Returns the JSON-RPC method of a request or notification; undefined for anything else. */
export const methodOf = ({ message }: Pick<ClientRequest, 'message'>): string | undefined =>
  message && message.kind !== 'response' ? message.method : undefined

/** Returns the params of a JSON-RPC request; an empty object for anything else. */
export const paramsOf = ({ message }: Pick<ClientRequest, 'message'>): JsonObject =>
  message?.kind === 'request' ? message.params : {}

/** Returns the metadata of a JSON-RPC request; an empty object when it has none. */
export const metaOf = (call: Pick<ClientRequest, 'message'>): JsonObject => asObject(paramsOf(call)['_meta'])

/** Returns the capabilities that a request of 2026-07-28 declares; an empty object when it declares none. */
export const capabilitiesOf = (call: Pick<ClientRequest, 'message'>): JsonObject =>
  asObject(metaOf(call)['io.modelcontextprotocol/clientCapabilities'])

/** Returns the id of a JSON-RPC request; undefined for anything else. */
export const idOf = ({ message }: Pick<ClientRequest, 'message'>): string | number | undefined =>
  message?.kind === 'request' ? message.id : undefined

/** Whether a call is a JSON-RPC request: any, or one of these methods. */
export const isRequest = ({ message }: Pick<ClientRequest, 'message'>, ...methods: string[]): boolean =>
  message?.kind === 'request' && (methods.length === 0 || methods.includes(message.method))
