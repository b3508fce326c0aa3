/** Reads the body of a request as bytes, up to a limit. */
import type { FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { tooLarge } from './media-type.js'

/** Receives the body, or the error that says why it cannot be read. */
export type BodyReader = (error: Error | null, body?: Buffer) => void

/**
 * Reads the body and passes it to `done`, or the error that says why it cannot be read: the `Fault` `content_too_large`
 * above `maxBytes`, and otherwise the error of the connection.
 *
 * Most bodies have arrived with their headers and lie in the buffer of the message, because authentication took a turn
 * of the event loop. Those are read by one call: waiting for their events takes three listeners and more turns.
 * @param payload the body as the hooks of the server left it
 */
export const readBody = (
  request: FastifyRequest, payload: IncomingMessage, maxBytes: number, done: BodyReader
): void => {
  if (payload === request.raw && hasArrived(payload)) {
    const body: unknown = payload.read()
    // Node emits the end of a message only to somebody who reads on.
    if (!payload.complete) payload.resume()
    if (Buffer.isBuffer(body)) return body.length > maxBytes ? done(tooLarge(maxBytes)) : done(null, body)
  }
  readToEnd(payload, maxBytes, done)
}

/** Whether the whole body lies in the buffer of the message, and is not empty. */
const hasArrived = ({ readableLength, complete, headers, destroyed }: IncomingMessage): boolean =>
  readableLength > 0 && !destroyed && (complete || readableLength === Number(headers['content-length']))

const readToEnd = (payload: IncomingMessage, maxBytes: number, done: BodyReader): void => {
  const chunks: Buffer[] = []
  let length = 0
  const settle = (error: Error | null): void => {
    payload.off('data', onData).off('end', onEnd).off('error', settle)
    if (error) done(error)
    else done(null, Buffer.concat(chunks, length))
  }
  const onEnd = (): void => settle(null)
  // A stream that a hook put in place of the connection may give text.
  const onData = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    length += bytes.length
    if (length > maxBytes) settle(tooLarge(maxBytes))
    else chunks.push(bytes)
  }
  payload.on('data', onData).on('end', onEnd).on('error', settle)
}
