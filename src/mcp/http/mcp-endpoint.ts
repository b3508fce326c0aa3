/** The MCP endpoint: the order of its checks is the order of this file. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { runForCaller } from '../../lib/caller-context.js'
import type { Config } from '../../config.js'
import { dispatch, type Reply } from '../dispatch.js'
import { classifyHeaders } from '../eras/classify.js'
import type { HttpExchange } from '../eras/era.js'
import { faultReply } from '../eras/faults.js'
import type { ProtocolEngine } from '../execution.js'
import type { LegacyEra } from '../eras/legacy/index.js'
import { hasBatches } from '../revisions.js'
import { Fault } from '../../lib/errors.js'
import { errorResponse } from '../jsonrpc/message.js'
import { parseJson, parseMessage, type Parsed } from '../jsonrpc/parse.js'
import type { ConcurrentCalls } from '../../http/concurrent-calls.js'
import type { AuditEvent } from '../../audit/audit-log.js'
import type { ExchangeListener } from '../traffic/wire-exchange.js'
import { requestInfo, decorateRequestInfo } from './decorate-request-info.js'
import { requireAccept, requireEventStream } from './accept.js'
import { requirePrincipal, type AuthenticatedCaller } from '../../auth/authenticate.js'
import { clientAddress } from '../../http/client-address.js'
import { challenge } from '../../http/challenge.js'
import { closeIdleConnections } from '../../http/graceful-close.js'
import { allowPage } from '../../http/cors.js'
import { requireJson, tooLarge } from './media-type.js'
import type { originGuard } from '../../http/origin.js'
import { toDenialEvent } from '../../audit/denial-event.js'
import type { Limiter } from '../../http/rate-limit.js'
import type { OpenStreams } from './open-streams.js'
import { sendReply } from './send-reply.js'
import { recordExchanges } from './exchange-recorder.js'
import { errorCode } from '../../lib/error-code.js'

export interface McpEndpointDeps {
  config: Config
  /** Reads who is calling onto the request. */
  authenticate: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  origin: ReturnType<typeof originGuard>
  limiter: Limiter
  calls: ConcurrentCalls
  engine: ProtocolEngine & { eras: { legacy: LegacyEra } }
  streams: OpenStreams
  /** Told of each caller that is refused before anything is asked of it. */
  recordDenial: (event: AuditEvent) => void
  /** Who is shown each exchange. */
  exchangeListeners: readonly ExchangeListener[]
  /** Told what an onlooker throws; nobody when absent. */
  onlookerFailed?: (error: unknown) => void
}

/** Registers the endpoint at `/mcp` and `/mcp/`: a redirect would lose the Authorization header. */
export const mcpEndpoint = (app: FastifyInstance, deps: McpEndpointDeps): void => {
  const { config, authenticate, origin, limiter, calls, engine, streams } = deps
  const replying = { streams, onUnexpectedError: engine.onUnexpectedError }
  app.decorateRequest('caller')
  decorateRequestInfo(app)
  recordExchanges(app, deps.exchangeListeners, deps.onlookerFailed ?? (() => {}))
  app.addHook('onRequest', (request, reply, done) => {
    origin.check(request)
    if (!allowPage(request, reply)) done()
  })
  app.addHook('onRequest', async (request, reply) => {
    // A guess too many is refused before the database is asked about it.
    if (limiter.isBlocked(request)) {
      request.caller = UNCHECKED
      await limiter.count(request, reply)
    }
    await authenticate(request, reply)
    await limiter.count(request, reply)
    requirePrincipal(request)
  })
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.method === 'POST') {
      requireJson(request.headers, config.bodyLimitBytes)
      requireAccept(request.headers.accept, config.acceptRule)
    }
    done(null, payload)
  })
  app.removeAllContentTypeParsers()
  for (const type of ['application/json', '*']) {
    app.addContentTypeParser(type, { parseAs: 'buffer', bodyLimit: config.bodyLimitBytes }, (_request, body, done) => done(null, body))
  }
  app.setErrorHandler(refuse)
  closeIdleConnections(app)

  for (const url of ['/mcp', '/mcp/']) {
    // Not an async function: Fastify would listen to the reply that one returns.
    app.post(url, (request, reply) => {
      forCaller(request, () => {
        receive(request, reply)
          .then((answer) => { sendReply(request, reply, answer, replying) })
          .catch((error: unknown) => { reply.send(error) })
      })
    })
    app.get(url, { exposeHeadRoute: false }, async (request, reply) => {
      requireSession(request, reply)
      requireEventStream(request.headers.accept, config.acceptRule)
      const exchange = exchangeOf(request, reply)
      return forCaller(request, async () => {
        const answer = await inPlace(exchange, () => engine.eras.legacy.openGetStream(exchange))
        return sendReply(request, reply, answer, replying)
      })
    })
    app.delete(url, async (request, reply) => {
      requireSession(request, reply)
      const exchange = exchangeOf(request, reply)
      await forCaller(request, () => inPlace(exchange, () => engine.eras.legacy.endSession(exchange)))
      return reply.code(204).send()
    })
    app.route({
      url,
      method: ['HEAD', 'PUT', 'PATCH', 'OPTIONS'],
      exposeHeadRoute: false,
      handler: async (_request, reply) => { throw methodNotAllowed(reply) }
    })
  }

  const receive = async (request: FastifyRequest, reply: FastifyReply): Promise<Reply> => {
    const body = parseJson(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0))
    const exchange = exchangeOf(request, reply)
    if (Array.isArray(body)) {
      const together: HttpExchange = { ...exchange, reply: 'json' }
      return inPlace(together, () => receiveBatch(body, together, (messages) => limiter.count(request, reply, messages)))
    }
    const message = parseMessage(body)
    // What ends a call, or answers what it asked, never waits for one that it would end.
    if (message.kind !== 'request') return receiveOne(message, exchange)
    const weight = engine.methods.get(message.method)?.weight?.(message.params) ?? 1
    if (weight > 1) await limiter.count(request, reply, weight - 1)
    return inPlace(exchange, () => receiveOne(message, exchange))
  }

  /** Works on a call when fewer than so many of its credential are under way. */
  const inPlace = async <T>(exchange: HttpExchange, work: () => Promise<T>): Promise<T> => {
    const place = await calls.enter(exchange.principal.credential.id, exchange.onDisconnect)
    exchange.hold = place.hold
    try {
      return await work()
    } finally {
      place.leave()
    }
  }

  const receiveOne = async (message: Parsed, exchange: HttpExchange): Promise<Reply> => {
    if (message.kind !== 'fault') return dispatch(engine, message, exchange)
    exchange.about.refused = message.fault
    const { status, error } = faultReply(message.fault, classifyHeaders(exchange.headers))
    return { kind: 'whole', status, body: errorResponse(message.id, error) }
  }

  /** Batches exist in one revision, so only inside a session: 2025-03-26 basic#batching. */
  const receiveBatch = async (
    batch: readonly unknown[], exchange: HttpExchange, count: (messages: number) => Promise<void>
  ): Promise<Reply> => {
    if (classifyHeaders(exchange.headers) === 'modern') throw new Fault('invalid_request', 'The body is one message: this revision has no batches.')
    const revision = await engine.eras.legacy.revisionOf(exchange)
    if (!hasBatches(revision)) throw new Fault('invalid_request', `The body is one message: revision ${revision} has no batches.`)
    if (batch.length === 0 || batch.length > config.batchLimit) {
      throw new Fault('invalid_request', `A batch has 1 to ${config.batchLimit} messages.`)
    }
    if (batch.length > 1) await count(batch.length - 1)
    const left = new AbortController()
    exchange.onDisconnect(() => left.abort())
    const bodies: string[] = []
    for (const body of batch) {
      // Nobody reads the answers to the rest.
      if (left.signal.aborted) break
      const reply = await inBatch(body, exchange)
      if (reply !== undefined) bodies.push(reply)
    }
    return bodies.length === 0 ? { kind: 'accepted' } : { kind: 'whole', status: 200, body: `[${bodies.join(',')}]` }
  }

  /** One message's reply as text. */
  const inBatch = async (body: unknown, exchange: HttpExchange): Promise<string | undefined> => {
    const message = parseMessage(body)
    if (message.kind === 'request' && message.method === 'initialize') {
      const fault = new Fault('invalid_request', 'The handshake is not part of a batch.')
      return errorResponse(message.id, faultReply(fault, 'legacy').error)
    }
    const reply = await receiveOne(message, exchange)
    return reply.kind === 'whole' ? String(reply.body) : undefined
  }

  const requireSession = ({ headers }: FastifyRequest, reply: FastifyReply): void => {
    const { hasSessions } = engine.eras.legacy
    if (!hasSessions || !headers['mcp-session-id'] || classifyHeaders(headers) === 'modern') throw methodNotAllowed(reply)
  }

  const exchangeOf = (request: FastifyRequest, reply: FastifyReply): HttpExchange => ({
    headers: request.headers,
    principal: requirePrincipal(request),
    requestId: request.id,
    remoteAddress: clientAddress(request.ip),
    about: requestInfo(request),
    reply: config.replyMode,
    onDisconnect: createGoneListeners(reply)
  })

  /** What is done for a request takes its caller's turns at whatever is shared. */
  const forCaller = <T>(request: FastifyRequest, work: () => T): T =>
    runForCaller(requirePrincipal(request).credential.id, work)

  function refuse (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const fault = requestInfo(request).refused = faultOf(error, request)
    const refusal = toDenialEvent(fault, request)
    if (refusal) deps.recordDenial(refusal)
    const { status, headers, error: rpcError } = faultReply(fault, classifyHeaders(request.headers))
    if (status === 401) reply.header('www-authenticate', challenge(request.headers.authorization !== undefined))
    return reply.code(status).headers(headers).type('application/json').send(errorResponse(undefined, rpcError))
  }

  const faultOf = (error: unknown, request: FastifyRequest): Fault => {
    if (error instanceof Fault) {
      if (error.cause !== undefined) {
        engine.onUnexpectedError(error, {
          requestId: request.id, about: requestInfo(request)
        })
      }
      return error
    }
    if (errorCode(error) === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(config.bodyLimitBytes)
    // The client went away before its body was whole; nobody reads the answer.
    if (errorCode(error) === 'ECONNRESET') return new Fault('invalid_request', 'The body ended before it was whole.')
    if (errorCode(error)?.startsWith('FST_ERR_CTP')) return new Fault('invalid_request', 'The body could not be read as it was announced.')
    engine.onUnexpectedError(error, { requestId: request.id, about: requestInfo(request) })
    return new Fault('internal_error', `Something went wrong on the server. Tell its operator this request id: ${request.id}.`, { request_id: request.id })
  }
}

/** Who is refused for the address's sake; what is wrong with the credential nobody has looked at. */
const UNCHECKED: AuthenticatedCaller = {
  reason: 'unchecked', hint: 'Too many wrong credentials came from this address.'
}

/** Any number of listeners, such as those of the messages of a batch, take one of the connection. */
const createGoneListeners = ({ raw }: FastifyReply): HttpExchange['onDisconnect'] => {
  let listeners: Array<() => void> | undefined
  return (listener) => {
    if (raw.destroyed) {
      if (!raw.writableFinished) listener()
      return
    }
    if (listeners) {
      listeners.push(listener)
      return
    }
    const all = listeners = [listener]
    raw.once('close', () => { if (!raw.writableFinished) for (const tell of all) tell() })
  }
}

// 2026-07-28 basic/transports/streamable-http#earlier-streamable-http-revisions
const methodNotAllowed = (reply: FastifyReply): Fault => {
  reply.header('allow', 'POST')
  return new Fault('method_not_allowed', 'Send messages by POST. GET and DELETE belong to a session and need its Mcp-Session-Id.')
}
