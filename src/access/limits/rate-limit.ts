/**
 * Limits requests per credential, by its scope, with a window of a minute and one of a day. Wrong credentials are
 * counted by address; a request without a credential guesses nothing and is not counted. Replies have `RateLimit` and
 * `RateLimit-Policy`; rejections have `Retry-After` as well.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.js'
import { Fault } from '../../lib/errors.js'
import { createCredentialLookUps } from './credential-look-ups.js'
import type { Authentication, UserPrincipal } from '../../lib/principal.js'
import { hostKey, SITE_FACTOR, siteKey } from './ip-rate-limit.js'
import type { CountHits, WindowCount } from './rate-limit-counter.js'

export type LimitScope = 'read' | 'read_write' | 'admin' | 'pat' | 'address'
export type LimitWindow = 'minute' | 'day'
export type Caps = Record<LimitWindow, number>

const SECONDS: Record<LimitWindow, number> = { minute: 60, day: 86_400 }
/** The shortest first. */
const WINDOWS = ['minute', 'day'] as const satisfies readonly LimitWindow[]

export const capsOf = (config: Config): Record<Exclude<LimitScope, 'address'>, Caps> => ({
  read: { minute: config.rateLimitReadPerMinute, day: config.rateLimitReadPerDay },
  read_write: { minute: config.rateLimitReadWritePerMinute, day: config.rateLimitReadWritePerDay },
  admin: { minute: config.rateLimitAdminPerMinute, day: config.rateLimitAdminPerDay },
  pat: { minute: config.rateLimitPatPerMinute, day: config.rateLimitPatPerDay }
})

const scopeOf = ({ credential }: UserPrincipal): Exclude<LimitScope, 'address'> =>
  credential.kind === 'personal_access_token' ? 'pat' : credential.scope

interface Limit { window: LimitWindow, ms: number, max: number }

/** The windows of a caller, and the header that says them. */
interface Limits { windows: readonly Limit[], policy: string }

const limitsOf = (caps: Partial<Caps>): Limits => {
  const windows = WINDOWS.flatMap((window) => {
    const max = caps[window]
    return max === undefined ? [] : [{ window, ms: SECONDS[window] * 1000, max }]
  })
  return { windows, policy: windows.map(({ window, max }) => `"${window}";q=${max};w=${SECONDS[window]}`).join(', ') }
}

interface ExceededLimit { window: LimitWindow, limit: number, resetSeconds: number }

/** Runs a look-up of a credential. @throws {Fault} `rate_limited` when too many of the request's address wait */
export type LookUp = <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>

export const createLimiter = (config: Config, counter: CountHits) => {
  const { read, read_write: readWrite, admin, pat } = capsOf(config)
  const limitsOfScopes = {
    read: limitsOf(read), read_write: limitsOf(readWrite), admin: limitsOf(admin), pat: limitsOf(pat)
  }
  const limitsOfAddress = limitsOf({ minute: config.failedAuthPerMinute })
  const limitsOfSite = limitsOf({ minute: config.failedAuthPerMinute * SITE_FACTOR })

  const countAddress = async (request: FastifyRequest, reply: FastifyReply, times: number): Promise<void> => {
    // Check the site first: once it is exhausted, its hosts create no further counters.
    const { ip } = request
    const site = siteKey(FAILED, ip)
    const ofSite = site && publish(reply, limitsOfSite, await used(site, limitsOfSite, times))
    const exceeded = ofSite ||
      publish(reply, limitsOfAddress, await used(hostKey(FAILED, ip), limitsOfAddress, times))
    if (!exceeded) return
    lookUps.slowDown(hostKey(FAILED, ip), exceeded.resetSeconds)
    throw refusal(exceeded, 'address')
  }

  /** The counts of each window after so many hits of `key`. */
  const used = (key: string, { windows }: Limits, times: number): Promise<WindowCount[][]> =>
    counter([{ key, times, windows }])

  const lookUps = createCredentialLookUps()

  return {
    /** Counts messages, and sets the RateLimit headers. @throws {Fault} `rate_limited` when a limit is exceeded */
    async count (
      request: FastifyRequest, reply: FastifyReply, messages: number, caller: Authentication<UserPrincipal>
    ): Promise<void> {
      if (!('principal' in caller)) {
        if (caller.reason !== 'missing') await countAddress(request, reply, messages)
        return
      }
      const { principal } = caller
      const scope = scopeOf(principal)
      const limits = limitsOfScopes[scope]
      const exceeded = publish(reply, limits, await used(principal.credential.id, limits, messages))
      lookUps.right(request.headers.authorization)
      if (exceeded) throw refusal(exceeded, scope)
    },

    /** In its turn when many wrong ones came from the request's address. */
    lookUp: <T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> =>
      lookUps.run(hostKey(FAILED, request.ip), request.headers.authorization, work)
  }
}

const FAILED = 'failed'

/** Sets the headers of draft-ietf-httpapi-ratelimit-headers. Returns the first window that is exceeded. */
const publish = (
  reply: FastifyReply, { windows, policy }: Limits, [counts]: readonly WindowCount[][]
): ExceededLimit | undefined => {
  let usage = ''
  let exceeded: ExceededLimit | undefined
  windows.forEach(({ window, max: limit }, place) => {
    const count = counts?.[place]
    if (!count) throw new Error('the counter did not return a count for each window')
    const resetSeconds = Math.max(1, Math.ceil(count.ttl / 1000))
    usage += `${place === 0 ? '' : ', '}"${window}";r=${Math.max(0, limit - count.current)};t=${resetSeconds}`
    if (count.current > limit) exceeded ??= { window, limit, resetSeconds }
  })
  reply.header('ratelimit-policy', policy)
  reply.header('ratelimit', usage)
  return exceeded
}

const refusal = ({ window, limit, resetSeconds }: ExceededLimit, scope: LimitScope): Fault =>
  new Fault('rate_limited', `The limit of ${limit} a ${window} is used up. Try again in ${resetSeconds} seconds.`, {
    scope,
    window,
    limit,
    remaining: 0,
    reset_at: new Date(Date.now() + resetSeconds * 1000).toISOString(),
    retry_after_seconds: resetSeconds
  })
