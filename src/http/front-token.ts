/** Lets fronts in: who shows the platform's token, and nobody else, whatever key they have. Wrong ones are counted by address. */
import { createHash, timingSafeEqual } from 'node:crypto'
import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.js'
import type { originGuard } from './origin.js'

export interface FrontTokenParts {
  config: Config
  token: string
  origin: ReturnType<typeof originGuard>
  limits: FastifyRateLimitStoreCtor
}

class NotLetIn extends Error {
  constructor (readonly statusCode: 401 | 429, message: string) { super(message) }
}

const MINUTE_MS = 60_000

export const requireFront = async (app: FastifyInstance, { config, token, origin, limits }: FrontTokenParts): Promise<void> => {
  await app.register(rateLimit, { global: false, store: limits })
  const count = app.createRateLimit({ timeWindow: MINUTE_MS, max: config.failedAuthPerMinute, keyGenerator: ({ ip }) => `front:${ip}` })
  const expected = digest(`Bearer ${token}`)
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    origin.check(request)
    if (timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) return
    const counted = await count(request)
    if (!counted.isAllowed && counted.isExceeded) {
      reply.header('retry-after', Math.max(1, counted.ttlInSeconds))
      throw new NotLetIn(429, 'Too many requests with a wrong token from this address.')
    }
    // RFC 6750 section 3
    reply.header('www-authenticate', 'Bearer')
    throw new NotLetIn(401, 'This is for fronts: send "Authorization: Bearer <token>" with the PLATFORM_TOKEN of this server. Keys and personal access tokens are for /mcp.')
  })
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
