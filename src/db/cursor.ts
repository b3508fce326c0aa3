/** Opaque, bounded cursors: a tag that says which list made them, and the position of the last row shown. */
import { Refusal } from '../lib/errors.js'
import { parseBoundedJson } from '../lib/json-depth.js'

type Position = Array<string | number>

// Longer than any that a list makes: the longest holds a name of 200 characters, each escaped.
const MAX_LENGTH = 2000

export const encodeCursor = (tag: string, position: Position): string =>
  Buffer.from(JSON.stringify([tag, ...position])).toString('base64url')

/** Undefined without a cursor; a `Refusal` for one that this list did not make. */
export const decodeCursor = <P extends Position>(
  tag: string, cursor: string | undefined, isPosition: (position: unknown[]) => position is P
): P | undefined => {
  if (cursor === undefined) return undefined
  const [madeBy, ...position] = cursor.length <= MAX_LENGTH ? parsed(cursor) : []
  if (madeBy !== tag || !isPosition(position)) {
    throw new Refusal('This cursor is not one of this list\'s. Start again without a cursor.')
  }
  return position
}

const parsed = (cursor: string): unknown[] => {
  try {
    const value = parseBoundedJson(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
