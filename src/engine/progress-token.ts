/** Progress tokens: a string or an integer that the client chose. 2026-07-28 basic/patterns/progress#progress-flow */
import { Fault } from '../lib/errors.js'
import { isObject } from '../lib/json/json-object.js'

const MAX_LENGTH = 1024

/** @throws {Fault} `invalid_params` for another type or a string of more than 1024 characters */
export const parseProgressToken = (meta: unknown): string | number | undefined => {
  const token = isObject(meta) ? meta['progressToken'] : undefined
  if (token === undefined) return undefined
  if (typeof token === 'string' && token.length <= MAX_LENGTH) return token
  if (typeof token === 'number' && Number.isSafeInteger(token)) return token
  throw new Fault('invalid_params', '"params._meta.progressToken" is a string or an integer.')
}
