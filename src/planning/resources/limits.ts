/** Limits shared by the resources: entries, cache lifetime, completions. */
import type { Page } from '../store.js'

/** Entries of one resource. For more the tools have pages. */
const MAX_ENTRIES = 1000

const PAGE = 100

/** Reads the pages of a list until it ends or has `MAX_ENTRIES` items; `truncated` when there are more. */
export const collectPages = async <Item>(
  read: (limit: number, cursor: string | undefined) => Promise<Page<Item>>
): Promise<{ items: Item[], truncated: boolean }> => {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const page = await read(Math.min(PAGE, MAX_ENTRIES - items.length), cursor)
    items.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== undefined && items.length < MAX_ENTRIES)
  return { items, truncated: cursor !== undefined }
}

/** Returns the latest of the times (RFC 3339 UTC with milliseconds) as `lastModified`; an empty object for no times. */
export const latest = (times: string[]): { lastModified?: string } => {
  const last = times.sort().at(-1)
  return last === undefined ? {} : { lastModified: last }
}

/** How long a client may cache a resource: short, so that revoking access takes effect soon there too. */
export const TTL_MS = 30_000

/** Suggestions of one completion. */
export const MAX_COMPLETIONS = 100

/** Whether a prefix can match: PostgreSQL rejects U+0000, and no record contains one. */
export const isSearchable = (prefix: string): boolean => !prefix.includes('\0')
