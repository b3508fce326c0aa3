/** `/metrics` on an address of its own: callers of the server need not be able to read its metrics. */
import fastify, { type FastifyInstance } from 'fastify'
import { Fault } from '../lib/errors.js'
import { originGuard } from '../lib/http/origin-guard.js'
import type { Prometheus } from './prometheus.js'
import { isLoopbackHost } from '../lib/http/loopback.js'

/**
 * Makes the server of `GET /metrics`, not yet listening. `host` is its bind address: on a loopback address, only local
 * origins may read it.
 */
export const metricsServer = ({ scrape }: Prometheus, host: string): FastifyInstance => {
  const app = fastify({ logger: false, requestTimeout: 10_000, forceCloseConnections: true })
  const origin = originGuard({ allowed: [], loopback: isLoopbackHost(host) })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-content-type-options', 'nosniff')
    origin.check(request)
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({
    error: 'not_found', message: 'There is nothing here but GET /metrics.'
  }))
  app.setErrorHandler((error, _request, reply) => error instanceof Fault
    ? reply.code(403).send({ error: error.kind, message: error.message })
    : reply.code(500).send({ error: 'internal_error', message: 'The metrics could not be read.' }))
  app.get('/metrics', async (_request, reply) => {
    const { type, text } = await scrape()
    return reply.header('content-type', type).send(text)
  })
  return app
}
