/** Writes an answer: nothing but a status, JSON, or a stream of server-sent events. */
import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import type { Answer } from '../eras/answer.js'

export const send = (reply: FastifyReply, answer: Answer): FastifyReply => {
  if (answer.kind === 'accepted') return reply.code(202).send()
  if (answer.headers) reply.headers(answer.headers)
  if (answer.kind === 'whole') return reply.code(answer.status).type('application/json').send(answer.body)
  return reply
    .code(200)
    .headers({ 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' })
    .send(Readable.from(events(answer.frames), { objectMode: false }))
}

async function * events (frames: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const frame of frames) yield `event: message\ndata: ${frame}\n\n`
}
