/** JSON that is unchanged since it was last read is the same object as then, so that whoever makes something of it may keep that too. */
import { remember } from '../lib/lru.js'

const MOST = 1000
// In UTF-16 code units; a longer one is parsed each time.
const LONGEST = 50_000

/** Gives what a JSON text stands for, by the key of what it tells of. Nobody may change what it gives. */
export const parseOnce = <Parsed extends object>(shape: (parsed: unknown) => Parsed): (key: string, json: string) => Parsed => {
  const known = new Map<string, { json: string, parsed: Parsed }>()
  return (key, json) => {
    const last = known.get(key)
    if (last?.json === json) return remember(known, key, last, MOST).parsed
    const parsed = shape(JSON.parse(json))
    if (json.length <= LONGEST) remember(known, key, { json, parsed }, MOST)
    return parsed
  }
}
