/** Checks that a body is JSON in UTF-8 and not larger than allowed, and reads it as bytes. */
import type { FastifyRequest } from 'fastify'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Fault } from '../../lib/errors.js'
import { readLimited } from '../../lib/http/bounded-response.js'

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?$/i

/** @throws {Fault} `unsupported_media_type` or `content_too_large` */
export const requireJson = (headers: IncomingHttpHeaders, bodyLimit: number): void => {
  const type = headers['content-type']
  if (type !== 'application/json' && !JSON_TYPE.test(type ?? '')) {
    throw new Fault('unsupported_media_type', 'Send the body as "Content-Type: application/json".')
  }
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') {
    throw new Fault('unsupported_media_type', 'Send the body without a Content-Encoding.')
  }
  if (Number(headers['content-length'] ?? 0) > bodyLimit) throw tooLarge(bodyLimit)
}

export const tooLarge = (bodyLimit: number): Fault =>
  new Fault('content_too_large', `A body has at most ${bodyLimit} bytes: send less at once.`, { limit: bodyLimit })

/**
 * Reads the body of a request. Most have arrived while their caller was authenticated: such a body is given at once,
 * without waiting for its end.
 * @param payload the body as the hooks of the server left it
 * @param done gets `content_too_large` for a larger body, otherwise the error of the connection
 */
export const readBody = (
  { raw, headers }: FastifyRequest, payload: IncomingMessage, maxBytes: number,
  done: (error: Error | null, body?: Buffer) => void
): void => {
  if (payload !== raw || payload.readableLength === 0 || `${payload.readableLength}` !== headers['content-length']) {
    readArriving(payload, maxBytes).then((body) => done(null, body), done)
    return
  }
  const bytes: Buffer = payload.read()
  payload.resume()
  done(null, bytes)
}

const readArriving = async (payload: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  // The client still has to read why its body is refused.
  const bytes = await readLimited(payload.iterator({ destroyOnReturn: false }), maxBytes)
  if (!bytes) throw tooLarge(maxBytes)
  return bytes
}
