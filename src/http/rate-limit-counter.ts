/** What limits are counted in: in this process, or in Valkey, where the replicas count together. */

export interface Hit {
  /** Who is counted. */
  key: string
  /** The shortest first; one is only counted while those before it are not used up. */
  windows: ReadonlyArray<{ ms: number, max: number }>
}

export interface WindowCount {
  /** How many there were in the window, with this one; more than `max` when it is used up. */
  current: number
  /** Milliseconds until the window ends. */
  ttl: number
}

/** Counts visits in their order, and tells of each of their windows. */
export type RateLimitCounter = (hits: readonly Hit[]) => Promise<WindowCount[][]>

/** While what is shared is away each replica counts for itself, and goes back by itself. */
export const withLocalFallback = (
  valkey: { readonly away: boolean }, shared: RateLimitCounter, local: RateLimitCounter
): RateLimitCounter => async (hits) => {
  if (valkey.away) return local(hits)
  try {
    return await shared(hits)
  } catch (error) {
    if (!valkey.away) throw error
    return local(hits)
  }
}

const MAX_COUNTS = 100_000

interface CountWindow { current: number, ends: number }

/**
 * By a clock that nobody sets: one that jumps back would keep a window for as long. Counts of addresses (`address:…`) and those of
 * credentials each have their own bound, because anybody can make counts of new addresses: they must not push out a credential's.
 */
export const memoryRateLimitCounter = (
  now: () => number = () => performance.now(), max = MAX_COUNTS
): RateLimitCounter => {
  const ofCredentials = new Map<string, CountWindow>()
  const ofAddresses = new Map<string, CountWindow>()

  const countHit = ({ key, windows }: Hit): WindowCount[] => {
    const at = now()
    const counts = key.startsWith('address:') ? ofAddresses : ofCredentials
    let passed = true
    return windows.map(({ ms, max: limit }) => {
      const name = `${ms} ${key}`
      let count = counts.get(name)
      if (!count || count.ends <= at) {
        counts.delete(name)
        if (counts.size >= max) makeRoom(counts, at, max)
        counts.set(name, count = { current: 0, ends: at + ms })
      }
      if (passed) count.current++
      passed &&= count.current <= limit
      return { current: count.current, ttl: count.ends - at }
    })
  }
  return async (hits) => hits.map(countHit)
}

/** Those that count nothing any more go, then the oldest; a tenth at a time, so that a flood does not pay for a look at all each time. */
const makeRoom = (counts: Map<string, CountWindow>, at: number, max: number): void => {
  for (const [key, { ends }] of counts) if (ends <= at) counts.delete(key)
  const left = max - Math.max(1, Math.floor(max / 10))
  for (const key of counts.keys()) {
    if (counts.size <= left) break
    counts.delete(key)
  }
}
