/** Shows each exchange to onlookers when it is over. Without onlookers nothing is kept, and nothing costs. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Events } from '../eras/era.js'
import { isolate } from '../../lib/isolate.js'
import type { ExchangeListener } from '../traffic/wire-exchange.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** What onlookers are to see; null when there are none. `lastPayloadAt`: epoch ms of the last payload. */
    recorded: { at: number, lastPayloadAt?: number, reply?: string, events?: string[] } | null
  }
}

const MAX_EVENTS = 100

const now = (): number => performance.timeOrigin + performance.now()

/** `failed` is told what an onlooker throws or rejects with: the request never is. */
export const recordExchanges = (
  app: FastifyInstance, listeners: readonly ExchangeListener[], failed: (error: unknown) => void
): void => {
  app.decorateRequest('recorded', null)
  if (listeners.length === 0) return
  const isolatedListeners = listeners.map((onlooker) => isolate(onlooker, failed))
  app.addHook('onRequest', async (request, reply) => {
    request.recorded = { at: now() }
    // A reply that its client did not wait for is never finished.
    reply.raw.once('close', () => show(request, reply))
  })
  app.addHook('onSend', async (request, _reply, payload) => {
    if (request.recorded) {
      request.recorded.lastPayloadAt = now()
      if (typeof payload === 'string' || Buffer.isBuffer(payload)) request.recorded.reply = String(payload)
    }
    return payload
  })
  app.addHook('onResponse', async (request, reply) => show(request, reply))

  const show = isolate((request: FastifyRequest, reply: FastifyReply): void => {
    if (!request.recorded) return
    const { at, lastPayloadAt, reply: text, events } = request.recorded
    const { caller } = request
    const exchange = {
      at,
      durationMs: lastPayloadAt === undefined ? reply.elapsedTime : lastPayloadAt - at,
      requestId: request.id,
      credential: caller && 'principal' in caller ? caller.principal.credential.id : undefined,
      method: request.method,
      url: request.url,
      headers: request.headers,
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

/** The events of a reply, as onlookers see them too. */
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
