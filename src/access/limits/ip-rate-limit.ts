/** Limits requests by client address: for routes without credentials and for wrong credentials. */
import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientNetworks } from '../../lib/http/client-address.js'

/**
 * Counts a request. Resolves with the seconds to wait when it exceeds the limit, and sets `Retry-After`; otherwise
 * undefined.
 */
export type CountIp = (request: FastifyRequest, reply: FastifyReply) => Promise<number | undefined>

const MINUTE_MS = 60_000

/** The limit of an IPv6 /48, as a multiple of the limit of one /64. */
export const SITE_FACTOR = 10

/** The counter key of an address. The prefix `address:` separates it from the counters of credentials. */
export const hostKey = (what: string, ip: string): string => `address:${what}:${clientNetworks(ip).host}`

/** The counter key of the address's IPv6 /48; undefined for IPv4. */
export const siteKey = (what: string, ip: string): string | undefined => {
  const { site, manyHosts } = clientNetworks(ip)
  return manyHosts ? `address:${what}:${site}` : undefined
}

/**
 * Registers the limiter in this Fastify scope.
 * @returns a factory of counters: `what` names the counter, `max` limits one IPv4 address or IPv6 /64 within a
 * window, a minute by default
 */
export const ipRateLimit = async (
  app: FastifyInstance, store: FastifyRateLimitStoreCtor
): Promise<(what: string, max: number, windowMs?: number) => CountIp> => {
  await app.register(rateLimit, { global: false, store })
  return (what, max, windowMs = MINUTE_MS) => {
    const ofHost = app.createRateLimit({
      timeWindow: windowMs, max, keyGenerator: ({ ip }) => hostKey(what, ip)
    })
    const ofSite = app.createRateLimit({
      timeWindow: windowMs, max: max * SITE_FACTOR, keyGenerator: ({ ip }) => siteKey(what, ip) ?? ''
    })
    return async (request, reply) => {
      // Check the site first: once it is exhausted, its hosts create no further counters.
      const checks = siteKey(what, request.ip) === undefined ? [ofHost] : [ofSite, ofHost]
      for (const check of checks) {
        const counted = await check(request)
        if (counted.isAllowed || !counted.isExceeded) continue
        const seconds = Math.max(1, counted.ttlInSeconds)
        reply.header('retry-after', seconds)
        return seconds
      }
      return undefined
    }
  }
}
