/** Cuts rows into a page. Statements select one row more than the page, to know whether another page follows. */
import type { Page } from '../../planning/store.js'
import type { Queryable } from './database.js'

/** The first `limit` rows, with the cursor after the last of them when there are more. */
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
