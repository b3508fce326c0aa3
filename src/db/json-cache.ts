/** Caches parsed JSON: the same text gives the same object, so that callers can cache what they derive from it. */

const MAX_ENTRIES = 1000

export interface JsonCacheOptions {
  /** In UTF-16 code units. Longer texts are parsed each time. */
  maxLength?: number
  /** Of all texts together, in UTF-16 code units. What was asked for longest ago goes first. */
  maxTotalLength?: number
}

/** Parses JSON texts, by the key of the record. The result is shared: nobody may change it. */
export const jsonCache = <Parsed extends object>(
  shape: (parsed: unknown) => Parsed, { maxLength = 50_000, maxTotalLength = 8 * 2 ** 20 }: JsonCacheOptions = {}
): (key: string, json: string) => Parsed => {
  // The least recently used first.
  const cache = new Map<string, { json: string, parsed: Parsed }>()
  let totalLength = 0

  const remove = (key: string): void => {
    totalLength -= cache.get(key)?.json.length ?? 0
    cache.delete(key)
  }

  const add = (key: string, json: string, parsed: Parsed): void => {
    cache.set(key, { json, parsed })
    totalLength += json.length
    for (const oldest of cache.keys()) {
      if (cache.size <= MAX_ENTRIES && totalLength <= maxTotalLength) break
      remove(oldest)
    }
  }

  return (key, json) => {
    const last = cache.get(key)
    const parsed = last?.json === json ? last.parsed : shape(JSON.parse(json))
    remove(key)
    if (json.length <= maxLength) add(key, json, parsed)
    return parsed
  }
}
