/** Reads the body of a request as bytes, up to a limit. */
import type { FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { tooLarge } from './media-type.js'

/** Receives the body, or the error that says why it cannot be read. */
export type BodyReader = (error: Error | null, body?: Buffer) => void

/**
 * Reads the body and passes it to `done`, or the error: the `Fault` `content_too_large` above `maxBytes`, and otherwise
 * the error of the connection.
 *
 * Does not wait for the end of a body that is as long as announced, and listens to nothing but its bytes where all of
 * them have arrived with the headers, as most do: authentication took a turn of the event loop.
 * @param payload the body as the hooks of the server left it
 */
export const readBody = (
  request: FastifyRequest, payload: IncomingMessage, maxBytes: number, done: BodyReader
): void => {
  // What a hook put instead of the connection may be longer or shorter.
  const announced = payload === request.raw ? Number(request.headers['content-length']) : NaN
  const chunks: Buffer[] = []
  let length = 0
  const settle = (error: Error | null): void => {
    payload.off('data', onData).off('end', onEnd).off('error', settle)
    if (error) done(error)
    else done(null, Buffer.concat(chunks, length))
  }
  const onEnd = (): void => settle(null)
  // Such a stream may also give text.
  const onData = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    length += bytes.length
    if (length > maxBytes) return settle(tooLarge(maxBytes))
    // The usual case: nothing to remove, nothing to copy.
    if (hasArrived && bytes.length === announced) return done(null, bytes)
    chunks.push(bytes)
    if (length === announced) settle(null)
  }
  const hasArrived = payload.readableLength === announced && announced > 0
  if (!hasArrived) payload.on('end', onEnd).on('error', settle)
  payload.on('data', onData)
}
