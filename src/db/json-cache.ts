/** Caches parsed JSON: the same text gives the same object, so that callers can cache what they derive from it. */
import { lruSet } from '../lib/lru.js'

const MAX_ENTRIES = 1000

export interface JsonCacheOptions {
  /** In UTF-16 code units. Longer texts are parsed each time. */
  maxLength?: number
}

/** Parses JSON texts, by the key of the record. The result is shared: nobody may change it. */
export const jsonCache = <Parsed extends object>(
  shape: (parsed: unknown) => Parsed, { maxLength = 50_000 }: JsonCacheOptions = {}
): (key: string, json: string) => Parsed => {
  const cache = new Map<string, { json: string, parsed: Parsed }>()
  return (key, json) => {
    const last = cache.get(key)
    if (last?.json === json) return lruSet(cache, key, last, MAX_ENTRIES).parsed
    const parsed = shape(JSON.parse(json))
    if (json.length <= maxLength) lruSet(cache, key, { json, parsed }, MAX_ENTRIES)
    return parsed
  }
}
