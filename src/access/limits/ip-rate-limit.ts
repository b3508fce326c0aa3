/** Limits requests by client address: for routes without credentials and for wrong credentials. */
import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientNetworks } from '../../lib/http/client-address.js'
import type { CountHits, WindowCount } from './rate-limit-counter.js'

/** Resolves with the seconds to wait when the limit is exceeded, and sets `Retry-After`; otherwise with undefined. */
export type CountIp = (request: FastifyRequest, reply: FastifyReply) => Promise<number | undefined>

type Callback = (error: Error | null, counted?: WindowCount) => void

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

/** Registers `@fastify/rate-limit`, which counts one window at a time, on a counter that the replicas may share. */
export const addressLimits = async (app: FastifyInstance, counter: CountHits): Promise<AddressLimits> => {
  class Store implements FastifyRateLimitStore {
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
  await app.register(rateLimit, { global: false, store: Store })
  return (what, max, timeWindow = MINUTE_MS) => {
    const ofHost = app.createRateLimit({ timeWindow, max, keyGenerator: ({ ip }) => hostKey(what, ip) })
    const ofSite = app.createRateLimit({
      timeWindow, max: max * SITE_FACTOR, keyGenerator: ({ ip }) => siteKey(what, ip) ?? ''
    })
    return async (request, reply) => {
      // Check the site first: once it is exhausted, its hosts create no further counters.
      for (const check of siteKey(what, request.ip) === undefined ? [ofHost] : [ofSite, ofHost]) {
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
