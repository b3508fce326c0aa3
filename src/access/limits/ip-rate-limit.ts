/** Limits requests by client address: for routes without credentials and for wrong credentials. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientNetworks } from '../../lib/http/client-address.js'
import type { CountHits } from './rate-limit-counter.js'

/** Resolves with the seconds to wait when the limit is exceeded, and sets `Retry-After`; otherwise with undefined. */
export type CountIp = (request: Pick<FastifyRequest, 'ip'>, reply: FastifyReply) => Promise<number | undefined>

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

/** Creates a counter named `what`; `max` limits one IPv4 address or IPv6 /64 within a window. */
export const ipRateLimit = (counter: CountHits, what: string, max: number, windowMs = MINUTE_MS): CountIp =>
  async ({ ip }, reply) => {
    // Check the site first: once it is exhausted, its hosts create no further counters.
    for (const [key, limit] of [[siteKey(what, ip), max * SITE_FACTOR], [hostKey(what, ip), max]] as const) {
      if (key === undefined) continue
      const [[count] = []] = await counter([{ key, windows: [{ ms: windowMs, max: limit }] }])
      if (!count) throw new Error('the counter did not return a count for each window')
      if (count.current <= limit) continue
      const seconds = Math.max(1, Math.ceil(count.ttl / 1000))
      reply.header('retry-after', seconds)
      return seconds
    }
    return undefined
  }
