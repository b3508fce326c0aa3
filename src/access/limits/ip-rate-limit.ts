/** Limits requests by client address: for routes without credentials and for wrong credentials. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientNetworks } from '../../lib/http/client-address.js'
import type { CountHits } from './rate-limit-counter.js'

/** Resolves with the seconds to wait when the limit is exceeded, and sets `Retry-After`; otherwise with undefined. */
export type CountIp = (request: FastifyRequest, reply: FastifyReply) => Promise<number | undefined>

const MINUTE_MS = 60_000

/** The limit of an IPv6 /48, as a multiple of the limit of one /64. */
export const SITE_FACTOR = 10

/** The counter key of an address. The prefix `address:` separates it from the counters of credentials. */
export const hostKey = (what: string, ip: string): string => `address:${what}:${clientNetworks(ip).host}`

/** The counter key of the address's IPv6 /48; undefined for IPv4. */
export const siteKey = (what: string, ip: string): string | undefined => {
  const { site } = clientNetworks(ip)
  return site && `address:${what}:${site}`
}

/** Creates a counter named `what`; `max` limits one IPv4 address or IPv6 /64 within a window, a minute by default. */
export type AddressLimits = (what: string, max: number, windowMs?: number) => CountIp

/** On a counter that the replicas may share. */
export const addressLimits = (counter: CountHits): AddressLimits => (what, max, ms = MINUTE_MS) =>
  async ({ ip }, reply) => {
    // Check the site first: once it is exhausted, its hosts create no further counters.
    const limits = [{ key: siteKey(what, ip), max: max * SITE_FACTOR }, { key: hostKey(what, ip), max }]
    for (const { key, max } of limits) {
      const [counts] = key === undefined ? [] : await counter([{ key, windows: [{ ms, max }] }])
      if (!counts?.[0] || counts[0].current <= max) continue
      const seconds = Math.max(1, Math.ceil(counts[0].ttl / 1000))
      reply.header('retry-after', seconds)
      return seconds
    }
    return undefined
  }
