/** Writes a reply: only a status, JSON, or a stream of server-sent events. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OutgoingHttpHeaders } from 'node:http'
import type { EngineReply } from '../reply.js'
import { MISMATCH_HEADER } from '../eras/modern/index.js'
import type { ProtocolEngine } from '../protocol-engine.js'
import { requestInfo } from '../request-info.js'
import { requirePrincipal } from './http-exchange.js'
import type { OpenStreams } from './open-streams.js'
import { recordEvent, recordEvents } from './exchange-recorder.js'
import { encodeEvent, writeEvents } from './sse-writer.js'

/** The last two tell proxies to forward each event at once. */
const STREAM_HEADERS = {
  'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no'
}

export interface ReplyDeps {
  streams: OpenStreams
  onUnexpectedError: ProtocolEngine['onUnexpectedError']
  challenge (request: FastifyRequest, neededScope: string): string
}

/**
 * Writes the head, or all of a stream.
 * @returns the body, for Fastify to send; the reply when there is none, or when it is sent in another way
 * @throws {Fault} `too_many_streams` or `unauthorized` when the stream may not be opened
 */
export const sendReply = (
  request: FastifyRequest, reply: FastifyReply, dispatched: EngineReply,
  { streams, onUnexpectedError, challenge }: ReplyDeps
): FastifyReply | string | Buffer => {
  if (dispatched.kind === 'accepted') return reply.code(202).send()
  if (dispatched.headers) {
    reply.headers(dispatched.headers)
    const mismatch = dispatched.headers[MISMATCH_HEADER]
    if (mismatch !== undefined) {
      request.log.warn({ mismatch, ...request.about?.trace }, 'served a request whose headers disagree with its body')
    }
  }
  if (dispatched.kind === 'whole') {
    const { neededScope } = dispatched
    if (neededScope !== undefined) reply.header('www-authenticate', challenge(request, neededScope))
    reply.code(dispatched.status).header('content-type', 'application/json; charset=utf-8')
    return dispatched.body
  }
  if (dispatched.kind === 'event') {
    recordEvent(request, dispatched.data)
    reply.headers(STREAM_HEADERS)
    return encodeEvent(dispatched.data)
  }

  const { cancellation, events } = dispatched
  const { raw } = reply
  let unregister
  try {
    unregister = streams.add(requirePrincipal(request), () => {
      cancellation.abort()
      raw.end()
    })
  } catch (error) {
    cancellation.abort()
    events.return().catch(() => {})
    throw error
  }
  reply.hijack()
  raw.writeHead(200, { ...reply.getHeaders() as OutgoingHttpHeaders, ...STREAM_HEADERS })
  const failed = (error: unknown): void =>
    onUnexpectedError(error, { requestId: request.id, about: requestInfo(request) })
  writeEvents(raw, recordEvents(request, events), failed).finally(unregister).catch(() => {})
  return reply
}
