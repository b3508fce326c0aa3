/** A platform that does what a test says, request by request. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { once } from 'node:events'
import type { Test } from 'tap'
import { freePort } from '../../scripts/services/process.mjs'

export type Behaviour = (reply: ServerResponse, request: IncomingMessage & { text: string }) => void

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Behaviour => (reply) => {
  reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
export const status = (code: number, headers: Record<string, string> = {}): Behaviour =>
  json({ detail: 'secret inside' }, code, headers)
export const silent: Behaviour = () => {}

export const oddPlatform = async (t: Test, ...first: Behaviour[]) => {
  let behaviours = first
  let count = 0
  const asked: string[] = []
  const headers: IncomingMessage['headers'][] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, reply) => {
    asked.push(`${request.method} ${request.url}`)
    headers.push(request.headers)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const behaviour = behaviours.length > 1 ? behaviours.shift()! : behaviours[0]!
      behaviour(reply, Object.assign(request, { text: Buffer.concat(chunks).toString() }))
    })
  })
  server.on('connection', (socket) => {
    count++
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // One that the system gives no one meanwhile, so that it can come up again.
  const port = await freePort()
  const listen = async (): Promise<void> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen()
  const cut = (): void => { for (const socket of sockets) socket.destroy() }
  t.teardown(() => {
    cut()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${port}`,
    /** `METHOD /path` of each request so far. */
    asked,
    headers,
    /** What comes next, one for each request; the last one stays. */
    next (...more: Behaviour[]): void { behaviours = more },
    /** How many connections were made. */
    connections: () => count,
    async down (): Promise<void> {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
    up: listen
  }
}
