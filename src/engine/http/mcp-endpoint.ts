/** The MCP endpoint: the order of its checks is the order of this file. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { Fault } from '../../lib/errors.js'
import type { OriginGuard } from '../../lib/http/origin-guard.js'
import type { Authentication } from '../../lib/principal.js'
import { requireAccept, requireEventStream, type AcceptRule } from './accept.js'
import { allowPage } from './cors.js'
import { recordExchanges } from './exchange-recorder.js'
import { FastifyExchange, headerEra, requirePrincipal, type ExchangeOptions } from './http-exchange.js'
import { readBody, requireJson } from './media-type.js'
import type { OpenStreams } from './open-streams.js'
import { createReceiver, inSlot, type ReceiveDeps } from './receive-messages.js'
import { createErrorHandler, type RefuseDeps } from './refuse-request.js'
import { limitWrongCredentials, type RequestLimiter } from './request-limiter.js'
import { sendReply } from './send-reply.js'
import { decorateRequestInfo, requestInfo } from '../request-info.js'
import type { ExchangeListener } from '../traffic/wire-exchange.js'

export interface McpEndpointDeps extends Omit<ReceiveDeps, 'count'>, Omit<RefuseDeps, 'audit' | 'onUnexpectedError'>,
  ExchangeOptions {
  paths: readonly string[]
  acceptRule: AcceptRule
  origin: OriginGuard
  /** Says who calls. Its error refuses the request, before it is counted. */
  authenticate (request: FastifyRequest, reply: FastifyReply): Promise<Authentication>
  /** When undefined, only wrong credentials are counted. */
  limiter: RequestLimiter | undefined
  streams: OpenStreams
  exchangeListeners: readonly ExchangeListener[]
  onListenerError: (error: unknown) => void
}

/** Registers the endpoint. It takes over the content types and the errors of `app`, so give it a scope of its own. */
export const mcpEndpoint = (app: FastifyInstance, deps: McpEndpointDeps): void => {
  const { engine, origin, limiter, streams, calls, maxBodyBytes, acceptRule } = deps
  const { onUnexpectedError, audit, eras: { legacy } } = engine
  const replyDeps = { streams, onUnexpectedError, challenge: deps.challenge }
  const wrongCredentials = limitWrongCredentials()
  const count = async (request: FastifyRequest, reply: FastifyReply, messages: number): Promise<void> => {
    const { caller } = requestInfo(request)
    if (caller) await limiter?.count(request, reply, messages, caller)
  }
  const receive = createReceiver({ ...deps, count })

  decorateRequestInfo(app)
  recordExchanges(app, deps.exchangeListeners, deps.onListenerError)
  app.addHook('onRequest', async (request, reply) => {
    // 2026-07-28 basic/transports/streamable-http#protocol-version-header: an older client is refused by these rules
    if (!legacy.isServed) requestInfo(request).era = 'modern'
    origin.check(request)
    if (allowPage(request, reply)) return reply
    const caller = await deps.authenticate(request, reply)
    requestInfo(request).caller = caller
    // Counted before it is refused, so that guesses are limited too.
    const counting = limiter ?? ('principal' in caller ? undefined : wrongCredentials)
    if (counting) await counting.count(request, reply, 1, caller)
    requirePrincipal(request)
    if (request.method !== 'POST') return undefined
    requireJson(request.headers, maxBodyBytes)
    requireAccept(request.headers.accept, acceptRule)
    return undefined
  })
  app.removeAllContentTypeParsers()
  for (const type of ['application/json', '*']) {
    app.addContentTypeParser(type, (request: FastifyRequest, payload: IncomingMessage, done) =>
      readBody(request, payload, maxBodyBytes, done))
  }
  app.setErrorHandler(createErrorHandler({ ...deps, audit, onUnexpectedError }))

  const requireSession = (request: FastifyRequest, reply: FastifyReply): void => {
    if (!legacy.hasSessions || !request.headers['mcp-session-id'] || headerEra(request) === 'modern') {
      throw methodNotAllowed(reply)
    }
  }

  for (const url of deps.paths) {
    app.post(url, async (request, reply) => {
      const answer = await receive(request, reply, new FastifyExchange(request, reply, deps))
      return sendReply(request, reply, answer, replyDeps)
    })
    app.get(url, { exposeHeadRoute: false }, async (request, reply) => {
      requireSession(request, reply)
      requireEventStream(request.headers.accept, acceptRule)
      const exchange = new FastifyExchange(request, reply, deps)
      const answer = await inSlot(calls, exchange, () => legacy.openGetStream(exchange))
      return sendReply(request, reply, answer, replyDeps)
    })
    app.delete(url, async (request, reply) => {
      requireSession(request, reply)
      const exchange = new FastifyExchange(request, reply, deps)
      await inSlot(calls, exchange, () => legacy.endSession(exchange))
      return reply.code(204).send()
    })
    app.route({
      url,
      method: ['HEAD', 'PUT', 'PATCH', 'OPTIONS'],
      exposeHeadRoute: false,
      handler: async (_request, reply) => { throw methodNotAllowed(reply) }
    })
  }
}

// 2026-07-28 basic/transports/streamable-http#earlier-streamable-http-revisions
const methodNotAllowed = (reply: FastifyReply): Fault => {
  reply.header('allow', 'POST')
  return new Fault(
    'method_not_allowed', 'Send messages by POST. GET and DELETE belong to a session and need its Mcp-Session-Id.'
  )
}
