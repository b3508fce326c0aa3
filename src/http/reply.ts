/** Writes an answer: nothing but a status, JSON, or a stream of server-sent events. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answer } from '../eras/answer.js'
import { MISMATCH_HEADER } from '../eras/modern/index.js'
import { requirePrincipal } from './authenticate.js'
import { eventStream } from './event-stream.js'
import type { OpenStreams } from './open-streams.js'
import { tapped } from './tap.js'

/** Tells the proxies on the way to pass each event on at once. */
const HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' }

export interface Replying {
  streams: OpenStreams
  unexpected (error: unknown, requestId: string): void
}

export const send = (request: FastifyRequest, reply: FastifyReply, answer: Answer, { streams, unexpected }: Replying): FastifyReply => {
  if (answer.kind === 'accepted') return reply.code(202).send()
  if (answer.headers) {
    reply.headers(answer.headers)
    const mismatch = answer.headers[MISMATCH_HEADER]
    if (mismatch !== undefined) request.log.warn({ mismatch }, 'served in spite of its headers')
  }
  if (answer.kind === 'whole') return reply.code(answer.status).type('application/json').send(answer.body)

  const stream = eventStream(tapped(request, answer.events), (error) => unexpected(error, request.id))
  const end = (): void => {
    answer.stop.now()
    stream.destroy()
    reply.raw.end()
  }
  try {
    stream.once('close', streams.add(requirePrincipal(request), end))
  } catch (error) {
    answer.stop.now()
    stream.destroy()
    throw error
  }
  return reply.code(200).headers(HEADERS).send(stream)
}
