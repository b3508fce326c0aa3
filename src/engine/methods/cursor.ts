/** Cursors of the list methods: 2026-07-28 server/utilities/pagination. */
import { Fault } from '../../lib/errors.js'
import type { Params } from '../jsonrpc/message.js'

const MAX_CURSOR_LENGTH = 2048

/**
 * Returns `params.cursor`; undefined without one.
 * @throws {Fault} `invalid_params` when it is not a string of at most 2048 characters
 */
export const parseCursor = (params: Params): string | undefined => {
  const { cursor } = params
  if (cursor === undefined) return undefined
  if (typeof cursor !== 'string' || cursor.length > MAX_CURSOR_LENGTH) {
    throw new Fault('invalid_params', `"params.cursor" is a string of at most ${MAX_CURSOR_LENGTH} characters.`)
  }
  return cursor
}
