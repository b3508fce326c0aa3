/** How often an address may ask what needs no credential, or shows a wrong one. */
import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Counts one more; seconds to wait, which `Retry-After` tells as well, when it is one too many. */
export type Count = (request: FastifyRequest, reply: FastifyReply) => Promise<number | undefined>

const MINUTE_MS = 60_000

export const addressLimit = async (
  app: FastifyInstance, store: FastifyRateLimitStoreCtor
): Promise<(what: string, perMinute: number) => Count> => {
  await app.register(rateLimit, { global: false, store })
  return (what, perMinute) => {
    const check = app.createRateLimit({ timeWindow: MINUTE_MS, max: perMinute, keyGenerator: ({ ip }) => `${what}:${ip}` })
    return async (request, reply) => {
      const counted = await check(request)
      if (counted.isAllowed || !counted.isExceeded) return undefined
      const seconds = Math.max(1, counted.ttlInSeconds)
      reply.header('retry-after', seconds)
      return seconds
    }
  }
}
