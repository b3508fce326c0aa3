/** A server that closes lets go of each connection as soon as its last reply has ended, in place of keeping it for the next request. */
import type { FastifyInstance } from 'fastify'
import type { Server, Socket } from 'node:net'

const EVERY_MS = 50
/** How long a new connection may take to begin its first request. */
const TIMEOUT_MS = 1000

export const closeIdleConnections = (app: FastifyInstance): void => {
  // Node's own notion of an idle connection leaves out those that never had a request, such as the spare ones of a browser.
  const unused = new Map<Socket, number>()
  app.server.on('connection', (socket) => {
    unused.set(socket, performance.now())
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', ({ socket }) => { unused.delete(socket) })

  app.addHook('preClose', async () => {
    const round = setInterval(() => {
      app.server.closeIdleConnections()
      for (const [socket, since] of unused) if (performance.now() - since > TIMEOUT_MS) socket.destroy()
    }, EVERY_MS)
    app.server.once('close', () => clearInterval(round))
    await allAccepted(app.server)
  })
}

const MAX_ROUNDS = 100

/** What the system has accepted and this process has not would be broken by a close: waits for a round in which no more came. */
const allAccepted = async (server: Server): Promise<void> => {
  let came = true
  const come = (): void => { came = true }
  server.on('connection', come)
  for (let rounds = 0; came && rounds < MAX_ROUNDS; rounds++) {
    came = false
    // The second turn runs after one poll phase.
    for (let turns = 0; turns < 2; turns++) await new Promise(setImmediate)
  }
  server.off('connection', come)
}
