/** A request of a client as the proxy received it. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Era } from '../../mcp/eras/era.js'
import { classify, classifyHeaders } from '../../mcp/eras/classify.js'
import type { Message } from '../../mcp/jsonrpc/message.js'
import { parseMessage } from '../../mcp/jsonrpc/parse.js'
import { parseBoundedJson } from '../../lib/json-depth.js'

export interface Call {
  /** 1 for the first request of the run. */
  number: number
  method: string
  url: string
  headers: Readonly<IncomingHttpHeaders>
  body: Buffer
  /** The JSON-RPC message; undefined when the body is empty, a batch, or no message. */
  message: Message | undefined
  era: Era['name']
  /** Aborts when the client closed the connection before the reply ended. */
  signal: AbortSignal
}

/** Parses the message of a call and decides its era. */
export const createCall = (call: Omit<Call, 'message' | 'era'>): Call => {
  const message = messageIn(call.body)
  const era = classifyHeaders(call.headers)
  return { ...call, message, era: message ? classify(message, era) : era }
}

const messageIn = (body: Buffer): Message | undefined => {
  if (body.length === 0) return undefined
  try {
    const parsed = parseMessage(parseBoundedJson(body.toString()))
    return parsed.kind === 'fault' ? undefined : parsed
  } catch {
    return undefined
  }
}

/** Returns the JSON-RPC method of a request or notification; undefined for anything else. */
export const methodOf = ({ message }: Pick<Call, 'message'>): string | undefined =>
  message && message.kind !== 'response' ? message.method : undefined

/** Whether a call is a JSON-RPC request: any, or one of these methods. */
export const isRequest = ({ message }: Pick<Call, 'message'>, ...methods: string[]): boolean =>
  message?.kind === 'request' && (methods.length === 0 || methods.includes(message.method))
