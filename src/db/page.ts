/** Cuts rows into a page: statements ask for one row more than the page holds, to know whether there is another page. */
import type { Page } from '../planning/store.js'

export const pageOf = <Item>(rows: readonly Item[], limit: number, cursorAfter: (last: Item) => string): Page<Item> => {
  const items = rows.slice(0, limit)
  return rows.length > limit ? { items, next_cursor: cursorAfter(items.at(-1)!) } : { items }
}
