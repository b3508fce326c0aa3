/** Creates the Fastify server without routes: its log, limits and timeouts. */
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Config } from '../config/config.js'
import { endAfterRequest } from '../lib/http/end-after-request.js'
import { parseTrustProxy } from '../config/trust-proxy.js'
import { isDeeperThan, JsonDepthError } from '../lib/json/json-depth.js'

const MAX_PARAM_LENGTH = 8192
// Longer than the usual 60 s of load balancers, which so close first and never send into a closing connection.
const KEEP_ALIVE_MS = 75_000
const HEADERS_MS = 75_000
const REQUEST_MS = 90_000
const MAX_CONNECTIONS = 20_000
/** A client that stops reading is cut off after one or two periods. Streams send keep-alives more often. */
const SILENCE_MS = 120_000

export type RewriteUrl = (request: Pick<IncomingMessage, 'url' | 'headers'>) => string

/** `rewrites` give the target that a request is routed by, in turn. @throws {Refusal} when TRUST_PROXY is invalid */
export const httpServer = (
  { trustProxy, bodyLimitBytes }: Config, log: FastifyBaseLogger,
  rewrites: ReadonlyArray<RewriteUrl | undefined>
): FastifyInstance => {
  const used = rewrites.filter((rewrite) => rewrite !== undefined)
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: parseTrustProxy(trustProxy),
    bodyLimit: bodyLimitBytes,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_MS,
    connectionTimeout: SILENCE_MS,
    // Schemas bound parameters, and refuse them in the words of each interface; the router would answer in its own.
    routerOptions: { caseSensitive: true, maxParamLength: MAX_PARAM_LENGTH },
    ...used.length > 0 && {
      rewriteUrl: ({ url = '/', headers }: IncomingMessage) =>
        used.reduce((target, rewrite) => rewrite({ url: target, headers }), url)
    },
    forceCloseConnections: 'idle',
    // A request that was sent before the client saw the close is still answered.
    return503OnClosing: false
  })
  boundJsonBodies(app)
  app.addHook('onRequest', (_request, reply, done) => {
    // Replies differ by origin, so caches need `Vary` also on replies to requests without an Origin.
    reply.headers({ 'x-content-type-options': 'nosniff', vary: 'Origin' })
    done()
  })
  app.addHook('onError', (request, reply, error, done) => {
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') endAfterRequest(request.raw, reply.raw)
    done()
  })
  app.server.headersTimeout = HEADERS_MS
  app.server.maxConnections = MAX_CONNECTIONS
  return app
}

/** Has this scope and its children parse JSON as Fastify does, but answer a body that is too deep with 400. */
export const boundJsonBodies = (app: FastifyInstance): void => {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (!isDeeperThan(body)) return parse(request, body, done)
    done(new JsonDepthError())
  })
}
