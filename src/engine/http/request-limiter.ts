/** The port of a rate limiter, and one of wrong credentials by address, for servers that pass none of their own. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientNetworks } from '../../lib/http/client-address.js'
import { Fault } from '../../lib/errors.js'
import { lruSet } from '../../lib/lru.js'
import type { Authentication, Principal } from '../../lib/principal.js'

/** Counts the messages of callers. It is called before a request without a valid credential is refused. */
export interface RequestLimiter<P extends Principal = Principal> {
  /**
   * Counts messages of a request: 1 when it arrives, and more when its batch or its subscription has more.
   * @throws {Fault} `rate_limited` when a limit is exceeded; put `retry_after_seconds` into its data
   */
  count (request: FastifyRequest, reply: FastifyReply, messages: number, caller: Authentication<P>): Promise<void>
}

const MAX_PER_MINUTE = 60
const MINUTE_MS = 60_000
const MAX_ADDRESSES = 10_000

/**
 * Returns a limiter of 60 wrong credentials a minute for an address or an IPv6 /64. A valid credential passes whatever
 * was counted, and a request whose reason is `missing` guesses nothing.
 */
export const limitWrongCredentials = (): RequestLimiter => {
  const windows = new Map<string, { count: number, ends: number }>()
  return {
    async count ({ ip }, _reply, messages, caller) {
      if ('principal' in caller || caller.reason === 'missing') return
      const { host } = clientNetworks(ip)
      const now = performance.now()
      const known = windows.get(host)
      const window = known && known.ends > now ? known : { count: 0, ends: now + MINUTE_MS }
      window.count += messages
      lruSet(windows, host, window, MAX_ADDRESSES)
      if (window.count <= MAX_PER_MINUTE) return
      const seconds = Math.ceil((window.ends - now) / 1000)
      throw new Fault(
        'rate_limited',
        `This address sent ${MAX_PER_MINUTE} wrong credentials within a minute. Try again in ${seconds} seconds.`,
        { scope: 'address', window: 'minute', limit: MAX_PER_MINUTE, remaining: 0, retry_after_seconds: seconds })
    }
  }
}
