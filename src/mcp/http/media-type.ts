/** The body is JSON in UTF-8, and no larger than allowed. */
import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '../../lib/errors.js'

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?$/i

export const requireJson = (headers: IncomingHttpHeaders, bodyLimit: number): void => {
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) {
    throw new Fault('unsupported_media_type', 'Send the body as "Content-Type: application/json".')
  }
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') {
    throw new Fault('unsupported_media_type', 'Send the body without a Content-Encoding.')
  }
  if (Number(headers['content-length'] ?? 0) > bodyLimit) throw tooLarge(bodyLimit)
}

export const tooLarge = (bodyLimit: number): Fault =>
  new Fault('content_too_large', `The body may have at most ${bodyLimit} bytes.`, { limit: bodyLimit })
