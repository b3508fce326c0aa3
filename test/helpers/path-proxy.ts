/** A reverse proxy on loopback that serves another server below a path, as people put one in front of several services. */
import { createServer, request, type Server } from 'node:http'
import type { Test } from 'tap'
import { listeningPort } from './listening-port.js'

/**
 * Listens at once; `strip` removes the path from what is forwarded. Anything outside the path is answered 502 and kept in `outside`: the
 * browser left the application. `forwardTo` says where requests go.
 */
export const pathProxy = async (t: Test, path: string, { strip }: { strip: boolean }) => {
  let port = 0
  const outside: string[] = []
  const server: Server = createServer((incoming, reply) => {
    const { url = '/', method, headers } = incoming
    if (url !== path && !url.startsWith(`${path}/`) && !url.startsWith(`${path}?`)) {
      outside.push(url)
      reply.writeHead(502).end('outside')
      return
    }
    const target = strip ? url.slice(path.length) : url
    const outgoing = request({ host: '127.0.0.1', port, method, headers, path: target.startsWith('/') ? target : `/${target}` }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(reply)
    })
    outgoing.on('error', () => reply.destroy())
    incoming.pipe(outgoing)
  })
  return { url: `http://localhost:${await listeningPort(t, server)}${path}`, outside, forwardTo (to: number): void { port = to } }
}
