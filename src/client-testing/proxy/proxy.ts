/**
 * The HTTP server between a client and a correct server. A misbehaviour may answer instead of the server or change its
 * replies; without one the proxy passes everything on. It listens on 127.0.0.1 only, and answers to no other name.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { messageOf } from '../../lib/error-code.js'
import { readLimited } from '../../lib/http/bounded-response.js'
import { onDisconnect } from '../../lib/http/end-after-request.js'
import { createClientRequest, openExchange, type ClientRequest, type Exchange } from './exchange.js'
import { createForwarder, type RequestChanges } from './forward.js'
import { closeServer, LOOPBACK, listenOnLoopback } from './own-address.js'
import { textReply, type Reply } from './reply.js'
import { now, sendReply } from './send.js'

export interface Interception {
  /** Passes the call on and resolves with the head of the reply. */
  forward(changes?: RequestChanges): Promise<Reply>
  /** Records that this exchange is not what a correct server does. */
  inject(what: string): void
}

export interface Interceptor {
  answer?(call: ClientRequest, interception: Interception): Reply | undefined | Promise<Reply | undefined>
  reply?(reply: Reply, call: ClientRequest, interception: Interception): Reply | Promise<Reply>
}

export interface ProxyOptions {
  target: URL
  /** The credential that is put on every call that is passed on. The path of the endpoint is secret then. */
  token?: string | undefined
  /** The host of the proxy's address, 127.0.0.1 if absent. */
  name?: 'localhost'
  /** Passes requests to other names on, with those names. Without it they are refused. */
  anyHost?: boolean
  interceptor?: Interceptor | undefined
  /** Returns a name for the credential of a call, never the credential itself. */
  credentialOf?(call: ClientRequest): string | undefined
  /** The most exchanges that are stored; later ones are answered 503. */
  maxExchanges?: number
  onExchange?(exchange: Exchange): void
}

const MAX_BODY_BYTES = 4 * 1024 * 1024
const MAX_EXCHANGES = 5000
/** The most bytes that are stored of one reply, and of all bodies of a run. */
const MAX_REPLY_BYTES = 1024 * 1024
const MAX_STORED_BYTES = 64 * 1024 * 1024

export const startProxy = async (options: ProxyOptions) => {
  const { target, token, name = LOOPBACK, interceptor = {}, maxExchanges = MAX_EXCHANGES } = options
  const forwarder = createForwarder(target, token === undefined ? {} : { authorization: `Bearer ${token}` })
  const exchanges: Exchange[] = []
  let storedBytes = 0

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = address.pathOf(request.url)
    const isOwn = address.isHost(request.headers.host)
    if ((!isOwn && !options.anyHost) || url === undefined) {
      response.writeHead(url === undefined ? 404 : 403, { connection: 'close' }).end()
      return
    }
    const controller = new AbortController()
    onDisconnect(response, () => controller.abort())
    const body = await readLimited(request, MAX_BODY_BYTES)
    if (body === undefined || exchanges.length >= maxExchanges || storedBytes > MAX_STORED_BYTES) {
      response.writeHead(body === undefined ? 413 : 503, { connection: 'close' }).end()
      return
    }
    storedBytes += body.length
    const { method = 'GET', headers } = request
    const call =
      createClientRequest({ number: exchanges.length + 1, method, url, headers, body, signal: controller.signal })
    const exchange = openExchange(call, now(), options.credentialOf?.(call))
    exchanges.push(exchange)
    const interception: Interception = {
      forward: (changes) => forwarder.send(call, { ...(!isOwn && { host: headers.host ?? '' }), ...changes }),
      inject: (what) => { exchange.injected ??= what }
    }
    const reply = await replyTo(call, interception, interceptor)
    const stored = await sendReply(response, reply, exchange, MAX_REPLY_BYTES)
    storedBytes += stored
    options.onExchange?.(exchange)
  }

  const server = createServer((request, response) => {
    response.on('error', () => {})
    handle(request, response).catch(() => { response.destroy() })
  })
  server.keepAliveTimeout = 30_000
  const address = await listenOnLoopback(server, { name, secret: token !== undefined })
  return {
    url: address.url,
    exchanges,
    async close () {
      forwarder.close()
      await closeServer(server)
    }
  }
}

const replyTo = async (call: ClientRequest, interception: Interception, interceptor: Interceptor): Promise<Reply> => {
  try {
    const own = await interceptor.answer?.(call, interception)
    if (own) return own
    const path = new URL(call.url, 'http://127.0.0.1').pathname
    if (path !== '/mcp' && path !== '/mcp/') return textReply(404, 'text/plain', 'There is nothing here.')
    const reply = await interception.forward()
    return (await interceptor.reply?.(reply, call, interception)) ?? reply
  } catch (error) {
    return textReply(502, 'text/plain', `The server cannot be reached: ${messageOf(error)}`)
  }
}
