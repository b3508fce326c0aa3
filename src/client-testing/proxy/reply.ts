/** What the proxy sends back: a whole body, a stream, or bytes that go to the socket as they are. */
import { eventsIn, type ReadEvent } from '../../lib/json/event-data.js'
import { isObject, parseObject, type JsonObject } from '../../lib/json/json-object.js'
import { idOf, type ClientRequest } from './exchange.js'

export type ReplyHeaders = Readonly<Record<string, string>>
export type Chunks = AsyncIterable<string | Buffer> | ReadonlyArray<string | Buffer>

export interface WholeReply {
  kind: 'whole'
  status: number
  headers: ReplyHeaders
  body: string | Buffer
}
/** `cut`: the connection is destroyed after the last chunk, instead of an orderly end. */
export interface StreamReply {
  kind: 'stream'
  status: number
  headers: ReplyHeaders
  chunks: Chunks
  cut?: boolean
}
/** `raw`: status line, headers and body at once; the connection is closed after them. */
export type Reply = WholeReply | StreamReply | { kind: 'raw', status: number, bytes: Buffer }

export const textReply = (
  status: number, type: string, body: string | Buffer, headers: ReplyHeaders = {}
): WholeReply => ({ kind: 'whole', status, headers: { 'content-type': type, ...headers }, body })

export const jsonReply = (value: unknown, status = 200, headers: ReplyHeaders = {}): WholeReply =>
  textReply(status, 'application/json', JSON.stringify(value), headers)

export const resultReply = (call: ClientRequest, result: unknown): WholeReply =>
  jsonReply({ jsonrpc: '2.0', id: idOf(call), result })

export const errorReply = (
  call: ClientRequest, error: JsonObject, status: number, headers: ReplyHeaders = {}
): WholeReply => jsonReply({ jsonrpc: '2.0', id: idOf(call), error }, status, headers)

export const streamReply = (
  chunks: Chunks,
  { headers = {}, cut = false }: { headers?: ReplyHeaders; cut?: boolean } = {}
): StreamReply => ({
  kind: 'stream',
  status: 200,
  headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...headers },
  chunks,
  cut
})

/** Writes one event in the form that engines use: LF, one `data:` line. */
export const encodeEvent = ({ id, event, retry, data }: ReadEvent): string =>
  `${Object.entries({ event, id, retry, data }).filter(([, value]) => value !== undefined)
    .map(([field, value]) => `${field}: ${value}\n`).join('')}\n`

export async function * encodeMessages (messages: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const message of messages) yield encodeEvent({ event: 'message', data: JSON.stringify(message) })
}

/** Returns the events of a reply: those of its stream as they arrive, or its JSON body as one. */
async function * eventsOf (reply: Reply): AsyncGenerator<ReadEvent> {
  if (reply.kind === 'raw') return
  if (reply.kind === 'whole') {
    if (reply.body.length > 0) yield { data: reply.body.toString() }
    return
  }
  yield * eventsIn(reply.chunks)
}

/** Returns the JSON-RPC messages of a reply as they arrive. Skips what is no JSON object. */
export async function * messagesOf (reply: Reply): AsyncGenerator<JsonObject> {
  for await (const { data } of eventsOf(reply)) {
    const message = data === '' ? undefined : parseObject(data)
    if (message) yield message
  }
}

export const isResponseTo = (message: JsonObject, id: unknown): boolean =>
  message['id'] === id && !('method' in message)

export const responseOf = async (reply: Reply, id: unknown): Promise<JsonObject | undefined> => {
  let response: JsonObject | undefined
  for await (const message of messagesOf(reply)) if (isResponseTo(message, id)) response ??= message
  return response
}

export const headersWithoutBody = (reply: Reply): Record<string, string> => {
  if (reply.kind === 'raw') return {}
  return Object.fromEntries(Object.entries(reply.headers).filter(([name]) => !OF_BODY.has(name)))
}
const OF_BODY = new Set(['content-type', 'content-length', 'transfer-encoding', 'content-encoding'])

export const withStream = (reply: Reply, messages: AsyncIterable<unknown>): StreamReply =>
  streamReply(encodeMessages(messages), { headers: headersWithoutBody(reply) })

/** Changes the result in the reply to a request, whatever its form; errors and other messages stay. */
export const withResult = (
  reply: Reply, call: ClientRequest, change: (result: JsonObject) => unknown
): Reply => {
  const changed = (text: string): unknown => {
    const message = text === '' ? undefined : parseObject(text)
    const { result } = message ?? {}
    return message && isResponseTo(message, idOf(call)) && isObject(result)
      ? { ...message, result: change(result) }
      : message
  }
  if (reply.kind === 'raw') return reply
  if (reply.kind === 'whole') {
    const message = changed(reply.body.toString())
    return message === undefined ? reply : jsonReply(message, reply.status, headersWithoutBody(reply))
  }
  const chunks = async function * (): AsyncGenerator<string> {
    for await (const event of eventsOf(reply)) {
      const message = changed(event.data)
      yield encodeEvent(message === undefined ? event : { ...event, data: JSON.stringify(message) })
    }
  }
  return { ...reply, chunks: chunks() }
}
