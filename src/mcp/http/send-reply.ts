/** Writes an answer: nothing but a status, JSON, or a stream of server-sent events. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OutgoingHttpHeaders } from 'node:http'
import type { Answer } from '../dispatch.js'
import { MISMATCH_HEADER } from '../eras/modern/index.js'
import type { Conversation } from '../execution.js'
import { aboutOf } from './decorate-request-info.js'
import { requirePrincipal } from '../../auth/authenticate.js'
import type { OpenStreams } from './open-streams.js'
import { tapped } from './exchange-recorder.js'
import { writeEvents } from './sse-writer.js'

/** Tells the proxies on the way to pass each event on at once. */
const HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' }

export interface Replying {
  streams: OpenStreams
  unexpected: Conversation['unexpected']
}

export const send = (request: FastifyRequest, reply: FastifyReply, answer: Answer, { streams, unexpected }: Replying): FastifyReply => {
  if (answer.kind === 'accepted') return reply.code(202).send()
  if (answer.headers) {
    reply.headers(answer.headers)
    const mismatch = answer.headers[MISMATCH_HEADER]
    if (mismatch !== undefined) request.log.warn({ mismatch, ...request.about?.trace }, 'served in spite of its headers')
  }
  if (answer.kind === 'whole') return reply.code(answer.status).header('content-type', 'application/json; charset=utf-8').send(answer.body)

  const { stop, events } = answer
  const { raw } = reply
  const leave = admitted(streams, request, answer, () => {
    stop.now()
    raw.end()
  })
  reply.hijack()
  raw.writeHead(200, { ...reply.getHeaders() as OutgoingHttpHeaders, ...HEADERS })
  const failed = (error: unknown): void => unexpected(error, { requestId: request.id, about: aboutOf(request) })
  writeEvents(raw, tapped(request, events), failed).finally(leave).catch(() => {})
  return reply
}

const admitted = (streams: OpenStreams, request: FastifyRequest, { stop, events }: Extract<Answer, { kind: 'stream' }>, end: () => void) => {
  try {
    return streams.add(requirePrincipal(request), end)
  } catch (error) {
    stop.now()
    events.return().catch(() => {})
    throw error
  }
}
