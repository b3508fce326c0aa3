/** Connects `@fastify/rate-limit`, which counts one window at a time, to a `CountHits`. */
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { WindowCount, CountHits } from './rate-limit-counter.js'

type Callback = (error: Error | null, counted?: WindowCount) => void

/** Creates the store class that the plugin instantiates. */
export const rateLimitStore = (counter: CountHits): FastifyRateLimitStoreCtor =>
  class implements FastifyRateLimitStore {
    incr (key: string, callback: Callback, ms = 0, max = 0): void {
      counter([{ key, windows: [{ ms, max }] }]).then(([windows]) => {
        const count = windows?.[0]
        if (count) callback(null, count)
        else callback(new Error('the counter did not return a count for each window'))
      }, (error: Error) => callback(error))
    }

    child (): this {
      return this
    }
  }
