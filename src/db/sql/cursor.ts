/** Lists in pages: opaque, bounded cursors, which are a tag that names the list and the position of the last row. */
import { Refusal } from '../../lib/errors.js'
import { parseJsonOrUndefined } from '../../lib/json/json-depth.js'
import { isUuid } from '../../lib/uuid.js'
import type { Page } from '../../planning/store.js'
import type { Queryable } from './database.js'

type Position = Array<string | number>

// Longer than any cursor: the longest contains a name of 200 escaped characters.
const MAX_LENGTH = 2000

/** The cursor after the row at `position`. It is base64url, and not secret. */
export const encodeCursor = (tag: string, position: Position): string =>
  Buffer.from(JSON.stringify([tag, ...position])).toString('base64url')

/** The position in a cursor; undefined without one. @throws {Refusal} for one that this list did not make */
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

export const isId = (position: unknown[]): position is [string] =>
  position.length === 1 && typeof position[0] === 'string' && isUuid(position[0])

export const isTimeAndId = (position: unknown[]): position is [string, string] =>
  position.length === 2 && typeof position[0] === 'string' && isRowTime(position[0]) &&
  typeof position[1] === 'string' && isUuid(position[1])

/** Whether the text is RFC 3339 UTC with milliseconds, as `rfc3339()` of the database writes it. */
export const isRowTime = (text: string): boolean =>
  /^\d{4}-.*\.\d{3}Z$/.test(text) && Date.parse(text) > Date.parse('0001-01-01T00:00:00Z') &&
  new Date(text).toISOString() === text

const parseValues = (cursor: string): unknown[] => {
  const value = parseJsonOrUndefined(Buffer.from(cursor, 'base64url').toString('utf8'))
  return Array.isArray(value) ? value : []
}

/** The first `limit` rows, of one more than that, with the cursor after the last of them when there are more. */
export const pageOf = <Item>(
  rows: readonly Item[], limit: number, cursorAfter: (last: Item) => string
): Page<Item> => {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return rows.length > limit && last !== undefined ? { items, next_cursor: cursorAfter(last) } : { items }
}

/** What a page of large records has at most, in bytes and rows; its last record may be larger. */
const [MAX_BYTES, MAX_ROWS] = [1_000_000, 200]

/**
 * Reads a page of large records, the latest first. The statement selects them with their `place` in the order, before
 * their id, and their `size` in bytes; its last parameter is the number of rows.
 */
export const sizedPage = async <Item>(
  db: Queryable, statement: string, values: readonly unknown[], limit: number, cursorAfter: (last: Item) => string
): Promise<Page<Item>> => {
  const most = Math.min(limit, MAX_ROWS)
  const rows = await db.query<Item & { place: unknown, size: number, above: unknown, has_more: true | null }>(`
    select * from (
      select page.*, lead(true) over latest as has_more,
        sum(size) over (latest rows between unbounded preceding and 1 preceding) as above
      from (${statement}) page window latest as (order by place desc, id desc)
    ) page where coalesce(above, 0) < ${MAX_BYTES} order by place desc, id desc`,
  [...values, most + 1])
  const page = rows.slice(0, most)
  const last = page.at(-1)
  const items = page.map(({ place, size, above, has_more: _, ...item }) => item as unknown as Item)
  return last?.has_more ? { items, next_cursor: cursorAfter(last) } : { items }
}
