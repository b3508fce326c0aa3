/** The HTTP server, without routes: its log, its bounds, and timeouts that are longer than those of the balancer before it. */
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { Config } from '../config.js'
import { parseTrustProxy } from './trust-proxy.js'
import { boundJsonBodies } from './json-bodies.js'

// What a balancer gives up first it can tell its client; it never sends into a connection that is just being closed.
const KEEP_ALIVE_MS = 75_000
const HEADERS_MS = 75_000
const REQUEST_MS = 90_000
/** For a client that does not take its reply, after this or twice as long; streams are never silent that long. */
const SILENCE_MS = 120_000

export const httpServer = (
  { trustProxy, bodyLimitBytes, maxConnections }: Config, log: FastifyBaseLogger
): FastifyInstance => {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: parseTrustProxy(trustProxy),
    bodyLimit: bodyLimitBytes,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_MS,
    connectionTimeout: SILENCE_MS,
    routerOptions: { caseSensitive: true },
    forceCloseConnections: 'idle',
    // What was sent before the sender knew is answered like all else.
    return503OnClosing: false
  })
  boundJsonBodies(app)
  app.addHook('onRequest', (_request, reply, done) => {
    // What an origin is answered depends on it everywhere; caches have to know also where there was none.
    reply.headers({ 'x-content-type-options': 'nosniff', vary: 'Origin' })
    done()
  })
  app.server.headersTimeout = HEADERS_MS
  app.server.maxConnections = maxConnections
  return app
}
