/** Limits how often one person asks the API, over all replicas, and how much of it is worked on at a time. */
import { finished } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { RateLimitCounter } from '../access/limits/rate-limit-counter.js'
import { Fault } from '../lib/errors.js'
import { onDisconnect } from '../lib/http/end-after-request.js'
import { isUuid } from '../lib/uuid.js'
import { createConcurrentCalls } from '../engine/http/concurrent-calls.js'
import type { PageOperationId } from '../administration/operations.js'

const MINUTE_MS = 60_000
const MAX_PER_MINUTE = 1200

interface GuessLimit {
  group: string
  max: number
  /** Whether a request with these parameters of its path could guess; each one when absent. */
  counts?: (params: PathParams) => boolean
}

type PathParams = Readonly<Record<string, string>>

/** Operations with which secrets, codes or addresses of people could be guessed. */
const GUESSABLE: Partial<Record<PageOperationId, GuessLimit>> & Readonly<Record<string, GuessLimit | undefined>> = {
  testKey: { group: 'test', max: 30 },
  testToken: { group: 'test', max: 30 },
  getDevice: { group: 'device', max: 30 },
  approveDevice: { group: 'device', max: 30 },
  denyDevice: { group: 'device', max: 30 },
  setMembership: { group: 'address', max: 30, counts: ({ id = '' }) => !isUuid(id) }
}

export const createRequestLimit = (counter: RateLimitCounter, maxRunning: number) => {
  const places = createConcurrentCalls({
    maxRunning, refusalStart: `You have ${maxRunning} requests under way, as many as you may`
  })
  return {
    /** @throws {Fault} `rate_limited` when the person asked too often within a minute */
    async count (userId: string, operation: string, params: PathParams): Promise<void> {
      const limit = GUESSABLE[operation]
      const guessable = limit?.counts?.(params) === false ? undefined : limit
      const limits = [
        { key: `web:${userId}`, max: MAX_PER_MINUTE },
        ...(guessable ? [{ key: `web-${guessable.group}:${userId}`, max: guessable.max }] : [])
      ]
      const counts = await counter(limits.map(({ key, max }) => ({ key, windows: [{ ms: MINUTE_MS, max }] })))
      for (const [index, { max }] of limits.entries()) {
        const count = counts[index]?.[0]
        if (count === undefined || count.current <= max) continue
        const seconds = Math.max(1, Math.ceil(count.ttl / 1000))
        throw new Fault('rate_limited', `You asked ${max} times within a minute. Try again in ${seconds} seconds.`,
          { retry_after_seconds: seconds })
      }
    },

    /** Waits for one of the person's places, free again when the reply is sent. @throws {Fault} `rate_limited` */
    async occupy<T> (userId: string, reply: FastifyReply, work: () => Promise<T>): Promise<T> {
      const place = await places.enter(userId, { onDisconnect: (listener) => onDisconnect(reply.raw, listener) })
      finished(reply.raw, () => place.leave())
      const result = work()
      // Work that goes on without its client still occupies the place.
      place.hold(result)
      return await result
    }
  }
}
