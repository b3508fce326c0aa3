/** How often an address may ask what needs no credential, or shows a wrong one. */
import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientNetworks } from './client-address.js'

/** Counts one more; seconds to wait, which `Retry-After` tells as well, when it is one too many. */
export type CountIp = (request: FastifyRequest, reply: FastifyReply) => Promise<number | undefined>

const MINUTE_MS = 60_000

/** What all hosts of one IPv6 /48 may do together, as a multiple of what one /64 may. */
export const SITE_FACTOR = 10

/** The key that an address is counted under; `address:` keeps it apart from the counts of credentials. */
export const hostKey = (what: string, ip: string): string => `address:${what}:${clientNetworks(ip).host}`

/** The key of the larger level; undefined where there is none. */
export const siteKey = (what: string, ip: string): string | undefined => {
  const { site, manyHosts } = clientNetworks(ip)
  return manyHosts ? `address:${what}:${site}` : undefined
}

export const ipRateLimit = async (
  app: FastifyInstance, store: FastifyRateLimitStoreCtor
): Promise<(what: string, perMinute: number) => CountIp> => {
  await app.register(rateLimit, { global: false, store })
  return (what, perMinute) => {
    const ofHost = app.createRateLimit({
      timeWindow: MINUTE_MS, max: perMinute, keyGenerator: ({ ip }) => hostKey(what, ip)
    })
    const ofSite = app.createRateLimit({
      timeWindow: MINUTE_MS, max: perMinute * SITE_FACTOR, keyGenerator: ({ ip }) => siteKey(what, ip) ?? ''
    })
    return async (request, reply) => {
      // The site first: once it is used up, no more counts of its hosts are made.
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
