/** 2026-07-28 basic/patterns/progress#progress-flow: a string or an integer, chosen by the client. */
import { Fault } from '../lib/errors.js'
import { isObject } from './jsonrpc/parse.js'

const MAX_LENGTH = 1024

export const parseProgressToken = (meta: unknown): string | number | undefined => {
  const token = isObject(meta) ? meta['progressToken'] : undefined
  if (token === undefined) return undefined
  if (typeof token === 'string' ? token.length > MAX_LENGTH : !Number.isSafeInteger(token)) {
    throw new Fault('invalid_params', '"params._meta.progressToken" is a string or an integer.')
  }
  return token as string | number
}
