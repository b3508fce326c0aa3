/** Cuts rows into a page. Statements select one row more than the page, to know whether another page follows. */
import type { Page } from '../../planning/store.js'

/** The first `limit` rows, with the cursor after the last of them when there are more. */
export const pageOf = <Item>(
  rows: readonly Item[], limit: number, cursorAfter: (last: Item) => string
): Page<Item> => {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return rows.length > limit && last !== undefined ? { items, next_cursor: cursorAfter(last) } : { items }
}
