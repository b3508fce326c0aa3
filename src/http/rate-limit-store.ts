/**
 * Connects `@fastify/rate-limit` to a `RateLimitCounter`. The plugin asks for each window of each request; this store
 * counts everything from one turn of the event loop in one step, and the windows of one request as one hit.
 */
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { WindowCount, RateLimitCounter } from './rate-limit-counter.js'

type Callback = (error: Error | null, counted?: WindowCount) => void

interface PendingHit { key: string, windows: Array<{ ms: number, max: number, callback: Callback }> }

/** Creates the store class that the plugin instantiates. All its instances share one batch of pending hits. */
export const rateLimitStore = (counts: RateLimitCounter): FastifyRateLimitStoreCtor => {
  let pending: PendingHit[] = []

  const count = (): void => {
    const hits = pending
    pending = []
    for (const { windows } of hits) windows.sort((one, other) => one.ms - other.ms)
    counts(hits).then(
      (counted) => hits.forEach(({ windows }, hit) => windows.forEach(({ callback }, window) => {
        const count = counted[hit]?.[window]
        if (count) callback(null, count)
        else callback(new Error('the counter did not return a count for each window'))
      })),
      (error: Error) => hits.forEach(({ windows }) => windows.forEach(({ callback }) => callback(error)))
    )
  }

  return class implements FastifyRateLimitStore {
    incr (key: string, callback: Callback, ms = 0, max = 0): void {
      let hit = pending.find((other) => other.key === key && other.windows.every((window) => window.ms !== ms))
      if (!hit) {
        if (pending.length === 0) setImmediate(count)
        pending.push(hit = { key, windows: [] })
      }
      hit.windows.push({ ms, max, callback })
    }

    child (): this {
      return this
    }
  }
}
