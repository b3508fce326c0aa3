/** A proxy on loopback that puts a credential on each request: the official suite has no option for one. */
import { createServer, request as requestHttp, type IncomingHttpHeaders } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

export interface BearerProxy {
  /** What stands in for the target. */
  url: string
  /** How many requests the target refused for its limits: what the suite then says is about them. */
  limited (): number
  close (): Promise<void>
}

export const bearerProxy = async (target: URL, bearer: string | undefined): Promise<BearerProxy> => {
  let limited = 0
  const request = target.protocol === 'https:' ? requestHttps : requestHttp
  const server = createServer((incoming, reply) => {
    const outgoing = request(new URL(target.pathname + target.search, target), {
      method: incoming.method,
      headers: headersFor(incoming.headers, own, target, bearer)
    }, (answer) => {
      if (answer.statusCode === 429) limited++
      reply.writeHead(answer.statusCode ?? 502, answer.headers)
      // So that a stream that says nothing yet is seen to be open.
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const own = `localhost:${port}`
  return {
    // Nothing of the target stands in it: it becomes an argument of somebody else's program.
    url: `http://${own}/mcp`,
    limited: () => limited,
    async close () {
      server.closeAllConnections()
      await new Promise<void>((resolve) => { server.close(() => resolve()) })
    }
  }
}

/**
 * The proxy's own name becomes the target's; a name that is neither's passes, since the suite tests what becomes of
 * it.
 */
const headersFor = (
  headers: IncomingHttpHeaders, own: string, target: URL, bearer: string | undefined
): IncomingHttpHeaders => {
  const { host, origin, ...rest } = headers
  return {
    ...rest,
    host: host === own || host === own.replace('localhost', '127.0.0.1') ? target.host : host,
    ...(origin !== undefined && { origin: origin === `http://${own}` ? target.origin : origin }),
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` })
  }
}
