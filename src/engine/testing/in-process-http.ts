/** The HTTP side of the test client: requests by Fastify's `inject`, and replies as the messages that they hold. */
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'

/** A Fastify instance, or a scope of one. */
export type InjectableApp = Pick<FastifyInstance, 'inject'>

/** A JSON-RPC message of the server, whose fields no one has checked. */
export interface ServerMessage {
  id?: string | number
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { code: number, message: string, data?: Record<string, unknown> }
}

/** A message, and the id of its event in a stream that can be resumed. */
export interface Received {
  message: ServerMessage | undefined
  eventId: string | undefined
}

export interface HttpReply {
  status: number
  headers: Readonly<Record<string, unknown>>
  messages: AsyncGenerator<Received, void, void>
}

export interface HttpRequest {
  method: 'POST' | 'GET' | 'DELETE'
  path: string
  headers: Record<string, string>
  body?: object | undefined
  signal: AbortSignal
}

/** When the signal aborts, the server sees a lost connection, and what is awaited rejects. */
export const injectRequest = async (
  app: InjectableApp, { method, path, headers, body, signal }: HttpRequest
): Promise<HttpReply> => {
  const bytes = body && Buffer.from(JSON.stringify(body))
  const payload = bytes && bodyStream(bytes, signal)
  const reply = await app.inject({
    method,
    url: path,
    ...payload && { payload },
    headers: { ...headers, ...bytes && { 'content-length': String(bytes.length) } },
    signal,
    payloadAsStream: true
  })
  const stream = reply.stream()
  // An abort before the first read has no listener yet; a later read rejects all the same.
  stream.on('error', () => {})
  const isEvents = String(reply.headers['content-type']).startsWith('text/event-stream')
  return {
    status: reply.statusCode,
    headers: reply.headers,
    messages: isEvents ? receivedIn(stream) : messageIn(stream)
  }
}

/** An error of a body that is a stream ends the connection, also when the body was read: the signal does not. */
const bodyStream = (bytes: Buffer, signal: AbortSignal): Readable => {
  const stream = new Readable({ read () {}, autoDestroy: false })
  stream.push(bytes)
  stream.push(null)
  signal.addEventListener('abort', () => stream.destroy(new Error('The test client left.')), { once: true })
  return stream
}

async function * messageIn (stream: NodeJS.ReadableStream): AsyncGenerator<Received, void, void> {
  const body = await text(stream)
  if (body !== '') yield { message: JSON.parse(body) as ServerMessage, eventId: undefined }
}

async function * receivedIn (stream: Readable): AsyncGenerator<Received, void, void> {
  // Only tests need it, so a server does not load it.
  const { eventsIn } = await import('../../lib/json/event-data.js')
  for await (const { id, data } of eventsIn(stream)) {
    yield { eventId: id, message: data === '' ? undefined : JSON.parse(data) as ServerMessage }
  }
}
