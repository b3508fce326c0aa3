/** What the routes for programs that have no credential yet have in common. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.js'
import type { OriginGuard } from '../../lib/http/origin-guard.js'
import { auditRefusals, type OnDenial } from '../audit/audit-refusals.js'
import type { AddressLimits } from '../limits/ip-rate-limit.js'
import { OAuthError, oauthProblem } from './oauth-error.js'

export interface OpenRoutesDeps {
  config: Config
  origin: OriginGuard
  limits: AddressLimits
  onDenial: OnDenial
}

/** Sets up a scope: refusals are audited, no answer is stored, errors are those of RFC 6749. */
export const openRoutes = (app: FastifyInstance, { onDenial }: Pick<OpenRoutesDeps, 'onDenial'>): void => {
  auditRefusals(app, onDenial)
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
  })
  app.setErrorHandler(oauthProblem)
}

/** Creates a hook of `max` requests a minute for each address. @throws {OAuthError} `slow_down` (429) */
export const limitAddress = (limits: AddressLimits, what: string, max: number) => {
  const count = limits(what, max)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const seconds = await count(request, reply)
    if (seconds === undefined) return
    throw new OAuthError('slow_down', `Too many requests from this address. Try again in ${seconds} seconds.`, 429)
  }
}
