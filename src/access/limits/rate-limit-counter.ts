/** Counts requests for rate limits: in this process, or in Valkey, which all replicas share. */
import { createBatchQueue } from '../../lib/async/batch-queue.js'

export interface Hit {
  /** The counter's key: a credential's id, or `address:…`. */
  key: string
  /** The shortest first: a window counts only while those before it are not exceeded. */
  windows: ReadonlyArray<{ ms: number, max: number }>
  /** How many hits these are, counted as if one came after the other; one when absent. */
  times?: number
}

export interface WindowCount {
  /** Hits in the window, this one included; more than `max` when the limit is exceeded. */
  current: number
  /** Milliseconds until the window ends. */
  ttl: number
}

/** Counts hits in order and resolves with the counts of each hit's windows; of several times, those after the last. */
export type CountHits = (hits: readonly Hit[]) => Promise<WindowCount[][]>

export type RateLimitCounter = CountHits & {
  /** Resolves with the counts as they are and counts nothing; `ttl` is 0 for a window without hits. */
  peek: CountHits
}

/** Uses the local counter while Valkey is away, and the shared one again when it is back. */
export const withLocalFallback = (
  valkey: { readonly away: boolean }, shared: RateLimitCounter, local: RateLimitCounter
): RateLimitCounter => {
  const either = (
    ask: (counter: RateLimitCounter, hits: readonly Hit[]) => Promise<WindowCount[][]>
  ) => async (hits: readonly Hit[]): Promise<WindowCount[][]> => {
    if (valkey.away) return ask(local, hits)
    try {
      return await ask(shared, hits)
    } catch (error) {
      if (!valkey.away) throw error
      return ask(local, hits)
    }
  }
  return Object.assign(either((counter, hits) => counter(hits)), {
    peek: either((counter, hits) => counter.peek(hits))
  })
}

/** Counts the hits of one turn of the event loop in one step. */
export const batchHits = (counter: CountHits): CountHits => {
  const queue = createBatchQueue<{ hits: readonly Hit[], counts: WindowCount[][] }>(async (all) => {
    const counts = await counter(all.flatMap(({ hits }) => hits))
    for (const one of all) one.counts = counts.splice(0, one.hits.length)
  }, { maxBatch: 1000, concurrency: Infinity, maxQueued: Infinity, label: 'hits' })
  return async (hits) => {
    const one = { hits, counts: [] }
    await queue.add(one)
    return one.counts
  }
}

const MAX_COUNTS = 100_000

interface CountWindow { current: number, ends: number }

/**
 * Creates a counter in memory. It holds at most `max` counts of addresses and as many of credentials; separate limits,
 * because anybody can create counts of new addresses, and these must not evict a credential's.
 * @param now a monotonic clock in milliseconds; a clock that jumps back would extend the windows
 */
export const memoryRateLimitCounter = (
  now: () => number = () => performance.now(), max = MAX_COUNTS
): RateLimitCounter => {
  const ofCredentials = new Map<string, CountWindow>()
  const ofAddresses = new Map<string, CountWindow>()

  const countHit = ({ key, windows, times = 1 }: Hit): WindowCount[] => {
    const at = now()
    const counts = key.startsWith('address:') ? ofAddresses : ofCredentials
    let passed = times
    return windows.map(({ ms, max: limit }) => {
      const name = `${ms} ${key}`
      let count = counts.get(name)
      if (!count || count.ends <= at) {
        counts.delete(name)
        if (counts.size >= max) makeRoom(counts, at, max)
        counts.set(name, count = { current: 0, ends: at + ms })
      }
      const left = Math.max(0, limit - count.current)
      count.current += passed
      passed = Math.min(passed, left)
      return { current: count.current, ttl: count.ends - at }
    })
  }
  const peekAt = ({ key, windows }: Hit): WindowCount[] => {
    const at = now()
    const counts = key.startsWith('address:') ? ofAddresses : ofCredentials
    return windows.map(({ ms }) => {
      const count = counts.get(`${ms} ${key}`)
      return count && count.ends > at ? { current: count.current, ttl: count.ends - at } : { current: 0, ttl: 0 }
    })
  }
  return Object.assign(async (hits: readonly Hit[]) => hits.map(countHit), {
    peek: async (hits: readonly Hit[]) => hits.map(peekAt)
  })
}

/** Deletes ended windows, then the oldest, down to nine tenths, so that a flood does not scan the map on each hit. */
const makeRoom = (counts: Map<string, CountWindow>, at: number, max: number): void => {
  for (const [key, { ends }] of counts) if (ends <= at) counts.delete(key)
  const left = max - Math.max(1, Math.floor(max / 10))
  for (const key of counts.keys()) {
    if (counts.size <= left) break
    counts.delete(key)
  }
}
