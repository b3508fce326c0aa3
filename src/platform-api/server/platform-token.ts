/** Admits only callers with the platform's token, whatever other credential they have. Failures count by address. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.js'
import { hashOf, isSameHash } from '../../access/credentials/secret.js'
import type { AddressLimits } from '../../access/limits/ip-rate-limit.js'
import { auditRefusals, type OnDenial } from '../../access/audit/audit-refusals.js'
import { requireOneAuthorization } from '../../access/authenticate.js'
import { challenge } from '../../access/limits/challenge.js'
import type { OriginGuard } from '../../lib/http/origin-guard.js'

export interface PlatformTokenDeps {
  config: Config
  tokens: readonly string[]
  origin: OriginGuard
  limits: AddressLimits
  onDenial: OnDenial
}

class PlatformTokenRefused extends Error {
  constructor (readonly statusCode: 401 | 429, message: string) { super(message) }
}

/** Adds the hook to `app`. It answers 401 to a wrong token, and 429 beyond `failedAuthPerMinute` of one address. */
export const requirePlatformToken = (
  app: FastifyInstance, { config, tokens, origin, limits, onDenial }: PlatformTokenDeps
): void => {
  const count = limits('front', config.failedAuthPerMinute)
  auditRefusals(app, onDenial)
  const expected = tokens.map((token) => hashOf(`Bearer ${token}`))
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    origin.check(request)
    requireOneAuthorization(request)
    // RFC 9110 section 11.1: the scheme is compared without regard to case
    const presented = hashOf((request.headers.authorization ?? '').replace(/^bearer /i, 'Bearer '))
    if (expected.filter((hash) => isSameHash(hash, presented)).length > 0) return
    if (await count(request, reply) !== undefined) {
      throw new PlatformTokenRefused(429, 'Too many requests with a wrong token from this address.')
    }
    // RFC 6750 section 3
    reply.header('www-authenticate', challenge(request.headers.authorization !== undefined))
    throw new PlatformTokenRefused(
      401,
      'This is for gateways: send "Authorization: Bearer <token>" with the PLATFORM_TOKEN of this server. ' +
        'Keys and personal access tokens are for /mcp.'
    )
  })
}
