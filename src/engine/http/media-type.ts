/** Checks that the body is JSON in UTF-8, and not larger than allowed. */
import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '../../lib/errors.js'

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?$/i

/**
 * Checks the headers of a POST. `bodyLimit` is in bytes.
 * @throws {Fault} `unsupported_media_type` or `content_too_large`
 */
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

/** The fault for a body of more than `bodyLimit` bytes. */
export const tooLarge = (bodyLimit: number): Fault =>
  new Fault('content_too_large', `A body has at most ${bodyLimit} bytes: send less at once.`, { limit: bodyLimit })
