/** A client on a real socket: requests whose replies are streams of server-sent events. */
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { eventsIn } from '../../src/lib/json/event-data.js'
import { BOTH, modernRequest } from './build.js'

export interface Message {
  id?: number | string
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { code: number, message: string, data?: Record<string, unknown> }
}

/** One event, or the milliseconds of a `retry` field. */
export interface Event { id: string | undefined, data: string, message: Message | undefined, retry: number | undefined }

export type Stream = ReturnType<typeof streamOf>
export type Wire = ReturnType<typeof wireTo>

export const wire = async (t: Test, app: FastifyInstance, key: string): Promise<Wire> =>
  wireTo(t, `${await app.listen({ host: '127.0.0.1', port: 0 })}/mcp`, key)

/** To a server that listens already. */
export const wireTo = (t: Test, url: string, key: string) => {
  const open = async (method: string, headers: Record<string, string>, body?: object | string): Promise<Stream> => {
    const controller = new AbortController()
    t.teardown(() => controller.abort())
    const reply = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${key}`, accept: BOTH, ...headers },
      signal: controller.signal,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) })
    })
    return streamOf(reply, controller)
  }
  return {
    url,
    post: (body: object, headers: Record<string, string> = {}) => open('POST', { 'content-type': 'application/json', ...headers }, {
      jsonrpc: '2.0', ...body
    }),
    get: (headers: Record<string, string>) => open('GET', { accept: 'text/event-stream', ...headers }),
    modern: (method: string, params: Record<string, unknown> = {}, id: number | string = 1) => {
      const { headers, body } = modernRequest(key, method, params, id)
      return open('POST', headers, body)
    }
  }
}

const streamOf = (reply: Response, controller: AbortController) => {
  const events = eventsOf(reply)
  const stream = {
    status: reply.status,
    headers: reply.headers,
    next: () => events.next() as Promise<IteratorResult<Event, undefined>>,
    /** The next message, over events that hold none; undefined at the end. */
    async message (): Promise<Message | undefined> {
      for (;;) {
        const { done, value } = await stream.next()
        if (done) return undefined
        if (value.message) return value.message
      }
    },
    /** All that still comes. */
    async rest (): Promise<Event[]> {
      const all: Event[] = []
      for (let step = await stream.next(); !step.done; step = await stream.next()) all.push(step.value)
      return all
    },
    close: () => controller.abort()
  }
  return stream
}

/** A reply that is no stream is one event. */
async function * eventsOf (reply: Response): AsyncGenerator<Event, undefined, unknown> {
  if (!reply.headers.get('content-type')?.startsWith('text/event-stream')) {
    const data = await reply.text()
    if (data !== '') yield { id: undefined, data, message: JSON.parse(data) as Message, retry: undefined }
    return undefined
  }
  for await (const { id, data, retry } of eventsIn(reply.body!)) {
    yield { id, data, message: data === '' ? undefined : JSON.parse(data) as Message, retry }
  }
  return undefined
}

/** Opens a legacy session over the wire. */
export const session = async (
  wire: Wire, protocolVersion = '2025-11-25', capabilities: object = {}
): Promise<Record<string, string>> => {
  const reply = await wire.post({
    id: 0, method: 'initialize', params: { protocolVersion, capabilities, clientInfo: { name: 'wire', version: '1' } }
  })
  await reply.rest()
  return { 'mcp-session-id': reply.headers.get('mcp-session-id')! }
}
