/**
 * Where `@fastify/rate-limit` keeps its counts. It asks for each window of each request; what is asked in one turn of the event loop is
 * counted in one step, the windows of one request as one visit.
 */
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { WindowCount, RateLimitCounter } from './rate-limit-counter.js'

type Callback = (error: Error | null, counted?: WindowCount) => void

interface PendingHit { key: string, windows: Array<{ ms: number, max: number, callback: Callback }> }

export const rateLimitStore = (counts: RateLimitCounter): FastifyRateLimitStoreCtor => {
  let pending: PendingHit[] = []

  const count = (): void => {
    const hits = pending
    pending = []
    for (const { windows } of hits) windows.sort((one, other) => one.ms - other.ms)
    counts(hits).then(
      (counted) => hits.forEach(({ windows }, hit) => windows.forEach(({ callback }, window) => callback(null, counted[hit]![window]!))),
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
