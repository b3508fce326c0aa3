/** Passes each finished HTTP exchange to the listeners. Without listeners it records nothing and costs nothing. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Events } from '../eras/era.js'
import { isolate } from '../../lib/async/isolate.js'
import type { ExchangeListener } from '../traffic/wire-exchange.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null when there are no listeners. `at` and `lastPayloadAt` are milliseconds since the epoch. */
    recorded: { at: number, lastPayloadAt?: number, reply?: string, events?: string[] } | null
  }
}

const MAX_EVENTS = 100

const now = (): number => performance.timeOrigin + performance.now()

/** `failed` gets what a listener throws or rejects with; the request itself never fails because of a listener. */
export const recordExchanges = (
  app: FastifyInstance, listeners: readonly ExchangeListener[], failed: (error: unknown) => void
): void => {
  app.decorateRequest('recorded', null)
  if (listeners.length === 0) return
  const isolatedListeners = listeners.map((onlooker) => isolate(onlooker, failed))
  app.addHook('onRequest', async (request, reply) => {
    request.recorded = { at: now() }
    // onResponse does not fire when the client disconnects before the end of the reply.
    reply.raw.once('close', () => show(request, reply))
  })
  app.addHook('onSend', async ({ recorded }, _reply, payload) => {
    if (!recorded) return payload
    recorded.lastPayloadAt = now()
    if (!recorded.events && (typeof payload === 'string' || Buffer.isBuffer(payload))) recorded.reply = String(payload)
    return payload
  })
  app.addHook('onResponse', async (request, reply) => show(request, reply))

  const show = isolate((request: FastifyRequest, reply: FastifyReply): void => {
    if (!request.recorded) return
    const { at, lastPayloadAt, reply: text, events } = request.recorded
    const caller = request.about?.caller
    const { id: requestId, method, url, headers } = request
    const exchange = {
      at,
      durationMs: lastPayloadAt === undefined ? reply.elapsedTime : lastPayloadAt - at,
      requestId,
      credential: caller && 'principal' in caller ? caller.principal.credential.id : undefined,
      method,
      url,
      headers,
      body: Buffer.isBuffer(request.body) ? request.body.toString('utf8') : undefined,
      status: reply.statusCode,
      replyHeaders: reply.getHeaders(),
      reply: text,
      events
    }
    request.recorded = null
    for (const listener of isolatedListeners) listener(exchange)
  }, failed)
}

export const recordEvent = ({ recorded }: FastifyRequest, data: string): void => {
  if (recorded) recorded.events = [data]
}

/** Returns the same events and records the first 100 of them for the listeners. */
export const recordEvents = ({ recorded }: FastifyRequest, events: Events): Events => {
  if (!recorded) return events
  const recordedEvents: string[] = recorded.events = []
  recorded.lastPayloadAt = now()
  return {
    async next () {
      const step = await events.next()
      const data = step.done ? undefined : typeof step.value === 'string' ? step.value : step.value.data
      if (data) recorded.lastPayloadAt = now()
      if (data && recordedEvents.length < MAX_EVENTS) recordedEvents.push(data)
      return step
    },
    return: () => events.return()
  }
}
