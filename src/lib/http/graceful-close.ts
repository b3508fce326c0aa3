/** Closes keep-alive connections as soon as they are idle while the server shuts down. */
import type { FastifyInstance } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { Server, Socket } from 'node:net'
import { nextTurn } from '../async/event-loop-yield.js'

const EVERY_MS = 50
/** How long a new connection may take to begin its first request. */
const TIMEOUT_MS = 1000

/**
 * Registers the hook. During shutdown it closes idle connections every 50 ms, and connections that never sent a request
 * after 1 s. Connections with a reply in progress stay open until it has ended.
 */
export const closeIdleConnections = (app: FastifyInstance): void => {
  // Node's closeIdleConnections() skips connections that never had a request, such as spare ones of a browser.
  const unused = new Map<Socket, number>()
  const forget = (socket: Socket): void => {
    unused.delete(socket)
    if (unused.size === 0) app.server.off('request', onRequest)
  }
  const onRequest = ({ socket }: IncomingMessage): void => forget(socket)
  app.server.on('connection', (socket) => {
    // Listened to only while there are such connections: a second listener costs each request a microsecond.
    if (unused.size === 0) app.server.on('request', onRequest)
    unused.set(socket, performance.now())
    socket.once('close', () => forget(socket))
  })

  app.addHook('preClose', async () => {
    const sweep = setInterval(() => {
      app.server.closeIdleConnections()
      for (const [socket, since] of unused) if (performance.now() - since > TIMEOUT_MS) socket.destroy()
    }, EVERY_MS)
    app.server.once('close', () => clearInterval(sweep))
    await allAccepted(app.server)
  })
}

const MAX_ROUNDS = 100

/** Waits until no more connections arrive: closing would reset those that only the system has accepted. */
const allAccepted = async (server: Server): Promise<void> => {
  let hasArrived = true
  const onConnection = (): void => { hasArrived = true }
  server.on('connection', onConnection)
  for (let rounds = 0; hasArrived && rounds < MAX_ROUNDS; rounds++) {
    hasArrived = false
    // The second turn runs after one poll phase.
    for (let turns = 0; turns < 2; turns++) await nextTurn()
  }
  server.off('connection', onConnection)
}
