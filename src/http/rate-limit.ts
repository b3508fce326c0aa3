/**
 * Limits requests per credential, by its scope, with a window of a minute and one of a day. Callers without a valid
 * credential are counted by address. Replies have `RateLimit` and `RateLimit-Policy`; rejections have `Retry-After` as
 * well.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.js'
import { Fault } from '../lib/errors.js'
import { createGuessBlock } from './guess-block.js'
import type { UserPrincipal } from '../lib/principal.js'
import { hostKey, SITE_FACTOR, siteKey } from './ip-rate-limit.js'
import type { CountHits } from './rate-limit-counter.js'

export type LimitScope = 'read' | 'read_write' | 'admin' | 'pat' | 'address'
export type LimitWindow = 'minute' | 'day'
export type Caps = Record<LimitWindow, number>

const SECONDS: Record<LimitWindow, number> = { minute: 60, day: 86_400 }
/** The shortest first. */
const WINDOWS = ['minute', 'day'] as const satisfies readonly LimitWindow[]

/** Returns the configured limits, in requests, of each scope and window. */
export const capsOf = (config: Config): Record<Exclude<LimitScope, 'address'>, Caps> => ({
  read: { minute: config.rateLimitReadPerMinute, day: config.rateLimitReadPerDay },
  read_write: { minute: config.rateLimitReadWritePerMinute, day: config.rateLimitReadWritePerDay },
  admin: { minute: config.rateLimitAdminPerMinute, day: config.rateLimitAdminPerDay },
  pat: { minute: config.rateLimitPatPerMinute, day: config.rateLimitPatPerDay }
})

/** Returns the limit scope of a principal: `pat` for a personal access token, otherwise the key's own scope. */
const scopeOf = ({ credential }: UserPrincipal): Exclude<LimitScope, 'address'> =>
  credential.kind === 'personal_access_token' ? 'pat' : credential.scope

/** What one window allows, in the form that counters take. */
interface Limit { window: LimitWindow, ms: number, max: number }

const limitsOf = (caps: Partial<Caps>): Limit[] => WINDOWS.flatMap((window) => {
  const max = caps[window]
  return max === undefined ? [] : [{ window, ms: SECONDS[window] * 1000, max }]
})

interface LimitUsage { window: LimitWindow, limit: number, remaining: number, resetSeconds: number, exceeded: boolean }

export interface Limiter {
  /**
   * Counts messages of the request's caller, one by default, and sets the RateLimit headers.
   * @throws {Fault} `rate_limited` when a limit is exceeded
   */
  count (request: FastifyRequest, reply: FastifyReply, messages?: number): Promise<void>
  /** Whether the address is blocked for wrong credentials, and the request's credential has not worked before. */
  isBlocked (request: FastifyRequest): boolean
}

/** Creates the limiter on the counts of `counter`. Counts by `request.caller`. */
export const createLimiter = (config: Config, counter: CountHits): Limiter => {
  const { read, read_write: readWrite, admin, pat } = capsOf(config)
  const limitsOfScopes = {
    read: limitsOf(read), read_write: limitsOf(readWrite), admin: limitsOf(admin), pat: limitsOf(pat)
  }
  const limitsOfAddress = limitsOf({ minute: config.failedAuthPerMinute })
  const limitsOfSite = limitsOf({ minute: config.failedAuthPerMinute * SITE_FACTOR })

  /** How much is used of each window after so many hits of `key`. */
  const used = async (key: string, limits: readonly Limit[], times: number): Promise<LimitUsage[]> => {
    const [counts] = await counter([{ key, times, windows: limits }])
    return limits.map(({ window, max: limit }, place) => {
      const count = counts?.[place]
      if (!count) throw new Error('the counter did not return a count for each window')
      return {
        window,
        limit,
        remaining: Math.max(0, limit - count.current),
        resetSeconds: Math.max(1, Math.ceil(count.ttl / 1000)),
        exceeded: count.current > limit
      }
    })
  }

  const countAddress = async ({ ip }: FastifyRequest, times: number): Promise<LimitUsage[]> => {
    // Check the site first: once it is exhausted, its hosts create no further counters.
    const site = siteKey(FAILED, ip)
    const shared = site === undefined ? [] : await used(site, limitsOfSite, times)
    return shared.some(({ exceeded }) => exceeded) ? shared : await used(hostKey(FAILED, ip), limitsOfAddress, times)
  }

  const guesses = createGuessBlock()

  return {
    async count (request, reply, messages = 1) {
      const { caller, ip, headers: { authorization } } = request
      const counts = await ('principal' in caller
        ? used(caller.principal.credential.id, limitsOfScopes[scopeOf(caller.principal)], messages)
        : countAddress(request, messages))
      publish(reply, counts)
      const exceeded = counts.find((count) => count.exceeded)
      if ('principal' in caller) guesses.right(authorization)
      else if (exceeded) guesses.block(hostKey(FAILED, ip), exceeded.resetSeconds)
      if (exceeded) throw refusal(exceeded, 'principal' in caller ? scopeOf(caller.principal) : 'address')
    },

    isBlocked: ({ ip, headers }) =>
      !guesses.isEmpty && guesses.isBlocked(hostKey(FAILED, ip), headers.authorization)
  }
}

const FAILED = 'failed'

/** Sets the headers of draft-ietf-httpapi-ratelimit-headers. */
const publish = (reply: FastifyReply, counts: readonly LimitUsage[]): void => {
  const policies = counts.map(({ window, limit }) => `"${window}";q=${limit};w=${SECONDS[window]}`)
  const usage = counts.map(({ window, remaining, resetSeconds }) => `"${window}";r=${remaining};t=${resetSeconds}`)
  reply.header('ratelimit-policy', policies.join(', '))
  reply.header('ratelimit', usage.join(', '))
}

const refusal = ({ window, limit, resetSeconds }: LimitUsage, scope: LimitScope): Fault =>
  new Fault('rate_limited', `The limit of ${limit} a ${window} is used up. Try again in ${resetSeconds} seconds.`, {
    scope,
    window,
    limit,
    remaining: 0,
    reset_at: new Date(Date.now() + resetSeconds * 1000).toISOString(),
    retry_after_seconds: resetSeconds
  })
