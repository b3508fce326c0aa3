/** Limits how often one person may ask the API of the web application, over all replicas. */
import type { RateLimitCounter } from '../../http/rate-limit-counter.js'
import { Fault } from '../../lib/errors.js'
import type { OperationId } from './operations.js'

const MINUTE_MS = 60_000
const MAX_PER_MINUTE = 1200

/** Operations with which secrets or codes could be guessed. */
const GUESSABLE: Partial<Record<OperationId, { group: string, max: number }>> = {
  testKey: { group: 'test', max: 30 },
  testToken: { group: 'test', max: 30 },
  getDevice: { group: 'device', max: 30 },
  approveDevice: { group: 'device', max: 30 },
  denyDevice: { group: 'device', max: 30 }
}

export interface RequestLimit {
  /** @throws {Fault} `rate_limited` when the person asked too often within a minute */
  count (userId: string, operation: OperationId): Promise<void>
}

/** Returns the limit. `count` throws a `Fault` (`rate_limited`) for a request that is too much. */
export const createRequestLimit = (counter: RateLimitCounter): RequestLimit => ({
  async count (userId, operation) {
    const guessable = GUESSABLE[operation]
    const limits = [
      { key: `web:${userId}`, max: MAX_PER_MINUTE },
      ...(guessable ? [{ key: `web-${guessable.group}:${userId}`, max: guessable.max }] : [])
    ]
    const counts = await counter(limits.map(({ key, max }) => ({ key, windows: [{ ms: MINUTE_MS, max }] })))
    for (const [index, { max }] of limits.entries()) {
      const count = counts[index]?.[0]
      if (count === undefined || count.current <= max) continue
      const seconds = Math.max(1, Math.ceil(count.ttl / 1000))
      throw new Fault('rate_limited', `You asked ${max} times within a minute. Try again in ${seconds} seconds.`)
    }
  }
})
