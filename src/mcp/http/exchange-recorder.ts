/** Shows each exchange to onlookers when it is over. Without onlookers nothing is kept, and nothing costs. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Events } from '../eras/era.js'
import { isolate } from '../../lib/isolate.js'
import type { Onlooker } from '../traffic/wire-exchange.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** What onlookers are to see; null when there are none. `saidAt`: when the last was said, before the client could have read it. */
    seen: { at: number, saidAt?: number, reply?: string, events?: string[] } | null
  }
}

const MOST_EVENTS = 100

const now = (): number => performance.timeOrigin + performance.now()

/** `failed` is told what an onlooker throws or rejects with: the request never is. */
export const tap = (app: FastifyInstance, onlookers: readonly Onlooker[], failed: (error: unknown) => void): void => {
  app.decorateRequest('seen', null)
  if (onlookers.length === 0) return
  const looks = onlookers.map((onlooker) => isolate(onlooker, failed))
  app.addHook('onRequest', async (request, reply) => {
    request.seen = { at: now() }
    // A reply that its client did not wait for is never finished.
    reply.raw.once('close', () => show(request, reply))
  })
  app.addHook('onSend', async (request, _reply, payload) => {
    if (request.seen) {
      request.seen.saidAt = now()
      if (typeof payload === 'string' || Buffer.isBuffer(payload)) request.seen.reply = String(payload)
    }
    return payload
  })
  app.addHook('onResponse', async (request, reply) => show(request, reply))

  const show = isolate((request: FastifyRequest, reply: FastifyReply): void => {
    if (!request.seen) return
    const { at, saidAt, reply: text, events } = request.seen
    const { caller } = request
    const exchange = {
      at,
      durationMs: saidAt === undefined ? reply.elapsedTime : saidAt - at,
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
    request.seen = null
    for (const look of looks) look(exchange)
  }, failed)
}

/** The events of a reply, as onlookers see them too. */
export const tapped = ({ seen }: FastifyRequest, events: Events): Events => {
  if (!seen) return events
  const kept: string[] = seen.events = []
  seen.saidAt = now()
  return {
    async next () {
      const step = await events.next()
      const data = step.done ? undefined : typeof step.value === 'string' ? step.value : step.value.data
      if (data) seen.saidAt = now()
      if (data && kept.length < MOST_EVENTS) kept.push(data)
      return step
    },
    return: () => events.return()
  }
}
