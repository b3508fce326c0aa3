/**
 * Limits requests per credential, by its scope, with a window of a minute and one of a day. Callers without a valid
 * credential are counted by address. Replies have `RateLimit` and `RateLimit-Policy`; rejections have `Retry-After` as
 * well.
 */
import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.js'
import { Fault } from '../lib/errors.js'
import { createGuessBlock } from './guess-block.js'
import type { UserPrincipal } from '../lib/principal.js'
import { hostKey, SITE_FACTOR, siteKey } from './ip-rate-limit.js'

export type LimitScope = 'read' | 'read_write' | 'admin' | 'pat' | 'address'
type LimitWindow = 'minute' | 'day'
type Caps = Record<LimitWindow, number>

const SECONDS: Record<LimitWindow, number> = { minute: 60, day: 86_400 }

/** Returns the configured limits, in requests, of each scope and window. */
export const capsOf = (config: Config): Record<Exclude<LimitScope, 'address'>, Caps> => ({
  read: { minute: config.rateLimitReadPerMinute, day: config.rateLimitReadPerDay },
  read_write: { minute: config.rateLimitReadWritePerMinute, day: config.rateLimitReadWritePerDay },
  admin: { minute: config.rateLimitAdminPerMinute, day: config.rateLimitAdminPerDay },
  pat: { minute: config.rateLimitPatPerMinute, day: config.rateLimitPatPerDay }
})

/** Returns the limit scope of a principal: `pat` for a personal access token, otherwise the key's own scope. */
export const scopeOf = ({ credential }: UserPrincipal): Exclude<LimitScope, 'address'> =>
  credential.kind === 'personal_access_token' ? 'pat' : credential.scope

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

/** Creates the limiter on the counts of `store` and registers it with Fastify. Counts by `request.caller`. */
export const createLimiter = async (
  app: FastifyInstance, config: Config, store: FastifyRateLimitStoreCtor
): Promise<Limiter> => {
  await app.register(rateLimit, { global: false, store })
  const caps = capsOf(config)
  const capOf = ({ caller }: FastifyRequest, window: LimitWindow): number =>
    'principal' in caller ? caps[scopeOf(caller.principal)][window] : config.failedAuthPerMinute

  const counter = (window: LimitWindow, keyGenerator = keyOf, cap = capOf) => {
    const check = app.createRateLimit({
      timeWindow: SECONDS[window] * 1000, max: (request) => cap(request, window), keyGenerator
    })
    return async (request: FastifyRequest): Promise<LimitUsage> => {
      const counted = await check(request)
      if (counted.isAllowed) throw new Error('nobody is on an allow list')
      const { max: limit, remaining, ttlInSeconds, isExceeded: exceeded } = counted
      return { window, limit, remaining, resetSeconds: Math.max(1, ttlInSeconds), exceeded }
    }
  }
  const minute = counter('minute')
  const day = counter('day')
  const site = counter('minute', siteKeyOf, () => config.failedAuthPerMinute * SITE_FACTOR)

  const countAddress = async (request: FastifyRequest): Promise<LimitUsage[]> => {
    // Check the site first: once it is exhausted, its hosts create no further counters.
    const shared = siteKeyOf(request) === '' ? undefined : await site(request)
    return [shared?.exceeded ? shared : await minute(request)]
  }

  const guesses = createGuessBlock()

  const one = async (request: FastifyRequest): Promise<LimitUsage[]> =>
    await ('principal' in request.caller ? Promise.all([minute(request), day(request)]) : countAddress(request))

  return {
    async count (request, reply, messages = 1) {
      const { caller, headers: { authorization } } = request
      // In parallel, so that the store counts them in one step.
      const counted = await Promise.all(Array.from({ length: messages }, () => one(request)))
      const counts = counted.find((windows) => windows.some((count) => count.exceeded)) ?? counted.at(-1) ?? []
      publish(reply, counts)
      const exceeded = counts.find((count) => count.exceeded)
      if ('principal' in caller) guesses.right(authorization)
      else if (exceeded) guesses.block(keyOf(request), exceeded.resetSeconds)
      if (exceeded) throw refusal(exceeded, 'principal' in caller ? scopeOf(caller.principal) : 'address')
    },

    isBlocked: (request) => guesses.isBlocked(hostKey(FAILED, request.ip), request.headers.authorization)
  }
}

const FAILED = 'failed'

const keyOf = ({ caller, ip }: FastifyRequest): string =>
  'principal' in caller ? caller.principal.credential.id : hostKey(FAILED, ip)

const siteKeyOf = ({ ip }: FastifyRequest): string => siteKey(FAILED, ip) ?? ''

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
