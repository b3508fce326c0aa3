/**
 * A proxy on loopback that adds a credential to each request: the official suite has no option for one. Only a request
 * to its secret path is passed on. One that the target limits is sent again when the target's time is over.
 */
import {
  createServer, request as requestHttp, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse
} from 'node:http'
import { request as requestHttps } from 'node:https'
import { pipeline } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { listenOnLoopback, type OwnAddress } from '../../../client-testing/proxy/own-address.js'
import { readBody } from '../../../client-testing/proxy/proxy.js'

export interface BearerProxy {
  /** The URL to use instead of the target's. */
  url: string
  /** How many requests the target refused with 429 in the end: failures of the suite may come from them. */
  limited (): number
  close (): Promise<void>
}

const MAX_WAITS = 5
const MAX_WAIT_S = 120

/**
 * Listens on a free port and forwards each request to `target`, with `bearer` when there is one.
 * @param onWait called with the seconds of each Retry-After that is waited for
 */
export const bearerProxy = async (
  target: URL, bearer: string | undefined, onWait: (seconds: number) => void = () => {}
): Promise<BearerProxy> => {
  let limited = 0
  const request = target.protocol === 'https:' ? requestHttps : requestHttp
  const send = (
    { method, headers }: IncomingMessage, body: Buffer, signal: AbortSignal
  ): Promise<IncomingMessage> => new Promise((resolve, reject) => {
    request(new URL(target.pathname + target.search, target), {
      method, headers: headersFor(headers, own, target, bearer), signal
    }, resolve).on('error', reject).end(body)
  })
  const forward = async (incoming: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const gone = new AbortController()
    reply.on('close', () => gone.abort())
    const body = await readBody(incoming)
    if (body === undefined || own.pathOf(incoming.url) === undefined) {
      reply.writeHead(body === undefined ? 413 : 404, { connection: 'close' }).end()
      return
    }
    let answer = await send(incoming, body, gone.signal)
    for (let wait = 0; wait < MAX_WAITS; wait++) {
      const seconds = retryAfter(answer)
      if (seconds === undefined) break
      answer.destroy()
      onWait(seconds)
      await sleep(seconds * 1000, undefined, { signal: gone.signal })
      answer = await send(incoming, body, gone.signal)
    }
    if (answer.statusCode === 429) limited++
    reply.writeHead(answer.statusCode ?? 502, answer.headers)
    // A stream without events yet must look open to the client.
    reply.flushHeaders()
    pipeline(answer, reply, () => {})
  }
  const server = createServer((incoming, reply) => {
    forward(incoming, reply).catch((error: unknown) => {
      if (reply.headersSent) return reply.destroy()
      reply.writeHead(502, { 'content-type': 'text/plain' }).end(`The server cannot be reached: ${String(error)}`)
    })
  })
  const own = await listenOnLoopback(server, { name: 'localhost', secret: true })
  return {
    // Without any text of the target: this URL becomes an argument of another program.
    url: own.url,
    limited: () => limited,
    async close () {
      server.closeAllConnections()
      await new Promise<void>((resolve) => { server.close(() => resolve()) })
    }
  }
}

/** Seconds that a target which limits requests says to wait; undefined for another answer, or too long a time. */
const retryAfter = ({ statusCode, headers }: IncomingMessage): number | undefined => {
  const seconds = statusCode === 429 && /^\d{1,6}$/.test(headers['retry-after'] ?? '')
    ? Number(headers['retry-after'])
    : Infinity
  return seconds <= MAX_WAIT_S ? seconds : undefined
}

/**
 * Translates the proxy's own name in `Host` and `Origin` to the target's. Other names pass, because the suite, which
 * knows the path, tests how the server treats them.
 */
const headersFor = (
  headers: IncomingHttpHeaders, own: OwnAddress, target: URL, bearer: string | undefined
): IncomingHttpHeaders => {
  const { host, origin, ...rest } = headers
  return {
    ...rest,
    host: own.isHost(host) ? target.host : host,
    ...(origin !== undefined && { origin: own.isOrigin(origin) ? target.origin : origin }),
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` })
  }
}
