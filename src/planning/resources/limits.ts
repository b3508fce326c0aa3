/** How much one resource holds, how long it may be kept, how many suggestions are made. */
import type { Page } from '../store.js'

/** More than this in one resource helps no reader; the tools page. */
export const MAX_ENTRIES = 1000

const PAGE = 100

/** All pages of a list, up to the bound. */
export const collectPages = async <Item>(
  read: (limit: number, cursor: string | undefined) => Promise<Page<Item>>
): Promise<Item[]> => {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const page = await read(Math.min(PAGE, MAX_ENTRIES - items.length), cursor)
    items.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== undefined && items.length < MAX_ENTRIES)
  return items
}

/** The latest of some times, all RFC 3339 UTC with milliseconds. */
export const latest = (times: string[]): { lastModified?: string } => {
  const last = times.sort().at(-1)
  return last === undefined ? {} : { lastModified: last }
}

/** How long a client may keep a resource: short, so that a revoked access ends soon there as well. */
export const TTL_MS = 30_000

export const MAX_COMPLETIONS = 100

/** No record's text holds a NUL, and Postgres does not take one. */
export const isSearchable = (prefix: string): boolean => !prefix.includes('\0')
