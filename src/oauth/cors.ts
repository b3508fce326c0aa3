/** Lets pages of every origin do what depends on no cookie: read metadata, register, and fetch tokens. */
import type { FastifyInstance } from 'fastify'
import type { OriginGuard } from '../lib/http/origin-guard.js'

/** Adds the headers to a scope, and checks that the host is this server's. */
export const allowEveryOrigin = (app: FastifyInstance, guard: OriginGuard): void => {
  app.addHook('onRequest', async ({ headers: { origin: _, ...headers }, raw }, reply) => {
    guard.check({ headers, raw })
    reply.header('access-control-allow-origin', '*')
      .header('access-control-expose-headers', 'WWW-Authenticate, Retry-After')
  })
}

export const answerPreflights = (app: FastifyInstance, methods: string, paths: readonly string[]): void => {
  for (const url of paths) {
    app.options(url, async ({ headers }, reply) => reply.code(204).headers({
      'access-control-allow-methods': methods,
      'access-control-allow-headers': headers['access-control-request-headers'] ?? 'authorization, content-type',
      'access-control-max-age': '600'
    }).send())
  }
}
