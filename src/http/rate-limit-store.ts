/**
 * Where `@fastify/rate-limit` keeps its counts. It asks for each window of each request; what is asked in one turn of the event loop is
 * counted in one step, the windows of one request as one visit.
 */
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { Counted, LimitCounts } from './rate-limit-counter.js'

type Callback = (error: Error | null, counted?: Counted) => void

interface Waiting { key: string, windows: Array<{ ms: number, max: number, callback: Callback }> }

export const limitStore = (counts: LimitCounts): FastifyRateLimitStoreCtor => {
  let waiting: Waiting[] = []

  const count = (): void => {
    const visits = waiting
    waiting = []
    for (const { windows } of visits) windows.sort((one, other) => one.ms - other.ms)
    counts(visits).then(
      (told) => visits.forEach(({ windows }, visit) => windows.forEach(({ callback }, window) => callback(null, told[visit]![window]!))),
      (error: Error) => visits.forEach(({ windows }) => windows.forEach(({ callback }) => callback(error)))
    )
  }

  return class implements FastifyRateLimitStore {
    incr (key: string, callback: Callback, ms = 0, max = 0): void {
      let visit = waiting.find((other) => other.key === key && other.windows.every((window) => window.ms !== ms))
      if (!visit) {
        if (waiting.length === 0) setImmediate(count)
        waiting.push(visit = { key, windows: [] })
      }
      visit.windows.push({ ms, max, callback })
    }

    child (): this {
      return this
    }
  }
}
