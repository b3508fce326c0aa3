/**
 * Two windows per credential, by its scope: a cap per minute and one per day. Callers without a valid credential are
 * counted by address. Answers carry `RateLimit` and `RateLimit-Policy`; refusals `Retry-After` as well.
 */
import rateLimit, { type CreateRateLimitOptions, type RateLimitPluginOptions } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.js'
import { Fault } from '../errors.js'
import type { Principal } from '../principal.js'
import type { Valkey } from '../store/valkey.js'
import { sharedUnlessAway } from './shared-unless-away.js'

export type LimitScope = 'read' | 'read_write' | 'admin' | 'pat' | 'address'
type Window = 'minute' | 'day'
type Caps = Record<Window, number>

const SECONDS: Record<Window, number> = { minute: 60, day: 86_400 }

export const capsOf = (config: Config): Record<Exclude<LimitScope, 'address'>, Caps> => ({
  read: { minute: config.rateLimitReadPerMinute, day: config.rateLimitReadPerDay },
  read_write: { minute: config.rateLimitReadWritePerMinute, day: config.rateLimitReadWritePerDay },
  admin: { minute: config.rateLimitAdminPerMinute, day: config.rateLimitAdminPerDay },
  pat: { minute: config.rateLimitPatPerMinute, day: config.rateLimitPatPerDay }
})

export const scopeOf = ({ credential }: Principal): Exclude<LimitScope, 'address'> =>
  credential.kind === 'personal_access_token' ? 'pat' : credential.scope

interface Count { window: Window, limit: number, remaining: number, resetSeconds: number, exceeded: boolean }

export interface Limiter {
  /** Counts one message of the request's caller; throws the `Fault` that refuses it. */
  count (request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/** With Valkey the replicas count together; while it is away each counts for itself. */
export const limiter = async (app: FastifyInstance, config: Config, valkey?: Valkey): Promise<Limiter> => {
  const caps = capsOf(config)
  const away = sharedUnlessAway(app.log)
  const alone = await countersIn(app, {})
  const together = valkey && await countersIn(app, { redis: valkey.commands, nameSpace: 'exploration-mcp:limit:' })

  const window = (name: Window) => {
    const options: CreateRateLimitOptions = {
      timeWindow: SECONDS[name] * 1000,
      max: (request) => capOf(request, name),
      keyGenerator: (request) => `${name}:${keyOf(request)}`
    }
    const mine = alone(options)
    const ours = together?.(options)
    return async (request: FastifyRequest): Promise<Count> => {
      const counted = ours ? await away(() => ours(request), () => mine(request)) : await mine(request)
      if (counted.isAllowed) throw new Error('nobody is on an allow list')
      return {
        window: name,
        limit: counted.max,
        remaining: counted.remaining,
        resetSeconds: Math.max(1, counted.ttlInSeconds),
        exceeded: counted.isExceeded
      }
    }
  }

  const capOf = ({ caller }: FastifyRequest, name: Window): number =>
    'principal' in caller ? caps[scopeOf(caller.principal)][name] : config.failedAuthPerMinute

  const minute = window('minute')
  const day = window('day')

  return {
    async count (request, reply) {
      const counts = [await minute(request)]
      // The day is asked only when the minute passes: refused calls do not eat the day.
      if ('principal' in request.caller && !counts[0]!.exceeded) counts.push(await day(request))
      publish(reply, counts)
      const exceeded = counts.find((count) => count.exceeded)
      if (exceeded) throw refuse(reply, exceeded, 'principal' in request.caller ? scopeOf(request.caller.principal) : 'address')
    }
  }
}

/** Makes limiters over one store of counts: each in a scope of its own, as the plugin has one store a scope. */
const countersIn = async (app: FastifyInstance, options: RateLimitPluginOptions): Promise<FastifyInstance['createRateLimit']> => {
  const made: Array<FastifyInstance['createRateLimit']> = []
  await app.register(async (scope) => {
    await scope.register(rateLimit, { global: false, ...options })
    made.push(scope.createRateLimit)
  })
  return made[0]!
}

const keyOf = ({ caller, ip }: FastifyRequest): string => 'principal' in caller ? caller.principal.credential.id : `address:${ip}`

/** draft-ietf-httpapi-ratelimit-headers */
const publish = (reply: FastifyReply, counts: readonly Count[]): void => {
  reply.header('ratelimit-policy', counts.map(({ window, limit }) => `"${window}";q=${limit};w=${SECONDS[window]}`).join(', '))
  reply.header('ratelimit', counts.map(({ window, remaining, resetSeconds }) => `"${window}";r=${remaining};t=${resetSeconds}`).join(', '))
}

const refuse = (reply: FastifyReply, { window, limit, resetSeconds }: Count, scope: LimitScope): Fault => {
  reply.header('retry-after', resetSeconds)
  return new Fault('rate_limited', `The limit of ${limit} a ${window} is used up. Try again in ${resetSeconds} seconds.`, {
    scope,
    window,
    limit,
    remaining: 0,
    reset_at: new Date(Date.now() + resetSeconds * 1000).toISOString(),
    retry_after_seconds: resetSeconds
  })
}
