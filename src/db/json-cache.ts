/** JSON that is unchanged since it was last read is the same object as then, so that whoever makes something of it may keep that too. */
import { lruSet } from '../lib/lru.js'

const MAX_ENTRIES = 1000
// In UTF-16 code units; a longer one is parsed each time.
const MAX_LENGTH = 50_000

/** Gives what a JSON text stands for, by the key of what it tells of. Nobody may change what it gives. */
export const jsonCache = <Parsed extends object>(
  shape: (parsed: unknown) => Parsed
): (key: string, json: string) => Parsed => {
  const cache = new Map<string, { json: string, parsed: Parsed }>()
  return (key, json) => {
    const last = cache.get(key)
    if (last?.json === json) return lruSet(cache, key, last, MAX_ENTRIES).parsed
    const parsed = shape(JSON.parse(json))
    if (json.length <= MAX_LENGTH) lruSet(cache, key, { json, parsed }, MAX_ENTRIES)
    return parsed
  }
}
