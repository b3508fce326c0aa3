/**
 * A proxy on loopback that adds a credential to each request: the official suite has no option for one. Only a request
 * to its secret path is passed on.
 */
import { createServer, request as requestHttp, type IncomingHttpHeaders } from 'node:http'
import { request as requestHttps } from 'node:https'
import { pipeline } from 'node:stream'
import { listenOnLoopback, type OwnAddress } from '../../workbench/proxy/own-address.js'

export interface BearerProxy {
  /** The URL to use in place of the target's. */
  url: string
  /** How many requests the target refused with 429: failures of the suite may come from them. */
  limited (): number
  close (): Promise<void>
}

/** Listens on a free port and forwards each request to `target`, with `bearer` when there is one. */
export const bearerProxy = async (target: URL, bearer: string | undefined): Promise<BearerProxy> => {
  let limited = 0
  const request = target.protocol === 'https:' ? requestHttps : requestHttp
  const server = createServer((incoming, reply) => {
    if (own.pathOf(incoming.url) === undefined) {
      reply.writeHead(404, { connection: 'close' }).end()
      return
    }
    const outgoing = request(new URL(target.pathname + target.search, target), {
      method: incoming.method,
      headers: headersFor(incoming.headers, own, target, bearer)
    }, (answer) => {
      if (answer.statusCode === 429) limited++
      reply.writeHead(answer.statusCode ?? 502, answer.headers)
      // A stream without events yet must look open to the client.
      reply.flushHeaders()
      pipeline(answer, reply, () => {})
    })
    outgoing.on('error', (error) => {
      if (reply.headersSent) reply.destroy()
      else reply.writeHead(502, { 'content-type': 'text/plain' }).end(`The server cannot be reached: ${error.message}`)
    })
    reply.on('close', () => outgoing.destroy())
    pipeline(incoming, outgoing, () => {})
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
