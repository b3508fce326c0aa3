/** Opaque, bounded cursors: a tag that names the list, and the position of the last row. */
import { Refusal } from '../../lib/errors.js'
import { parseJsonOrUndefined } from '../../lib/json/json-depth.js'
import { isUuid } from '../../lib/uuid.js'
import { isRowTime } from './row-time.js'

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

/** The position in a list that is ordered by ids. */
export const isId = (position: unknown[]): position is [string] =>
  position.length === 1 && typeof position[0] === 'string' && isUuid(position[0])

/** The position in a list that is ordered by times, then ids. */
export const isTimeAndId = (position: unknown[]): position is [string, string] =>
  position.length === 2 && typeof position[0] === 'string' && isRowTime(position[0]) &&
  typeof position[1] === 'string' && isUuid(position[1])

const parseValues = (cursor: string): unknown[] => {
  const value = parseJsonOrUndefined(Buffer.from(cursor, 'base64url').toString('utf8'))
  return Array.isArray(value) ? value : []
}
