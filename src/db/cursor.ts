/** Opaque, bounded cursors: a tag that names the list, and the position of the last row. */
import { Refusal } from '../lib/errors.js'
import { parseJsonOrUndefined } from '../lib/json-depth.js'

type Position = Array<string | number>

// Longer than any cursor: the longest contains a name of 200 escaped characters.
const MAX_LENGTH = 2000

/** The cursor after the row at `position`. It is base64url, and not secret. */
export const encodeCursor = (tag: string, position: Position): string =>
  Buffer.from(JSON.stringify([tag, ...position])).toString('base64url')

/**
 * The position in a cursor; undefined without a cursor.
 * @throws {Refusal} for a cursor that this list did not make
 */
export const decodeCursor = <P extends Position>(
  tag: string, cursor: string | undefined, isPosition: (position: unknown[]) => position is P
): P | undefined => {
  if (cursor === undefined) return undefined
  const [madeBy, ...position] = cursor.length <= MAX_LENGTH ? parseValues(cursor) : []
  if (madeBy !== tag || !isPosition(position)) {
    throw new Refusal('This cursor is not one of this list\'s. Start again without a cursor.')
  }
  return position
}

const parseValues = (cursor: string): unknown[] => {
  const value = parseJsonOrUndefined(Buffer.from(cursor, 'base64url').toString('utf8'))
  return Array.isArray(value) ? value : []
}
