/** A TCP proxy before a server, for tests of what happens when the server cannot be reached. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '../../scripts/services/process.mjs'

export const tcpProxy = async (t: { teardown (end: () => void): void }, address: string, host = '127.0.0.1') => {
  const target = new URL(address)
  const sockets = new Set<Socket>()
  let stalled = false
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
      if (stalled) socket.pause()
    }
    client.on('data', (data) => { upstream.write(data) })
    upstream.on('data', (data) => { client.write(data) })
    if (stalled) for (const socket of [client, upstream]) socket.pause()
  })
  // One that the system gives no one meanwhile, so that the proxy can listen on it again.
  const port = await freePort()
  const listen = async (): Promise<void> => {
    server.listen(port, host)
    await once(server, 'listening')
  }
  await listen()
  const cut = (): void => { for (const socket of sockets) socket.resetAndDestroy() }
  t.teardown(() => {
    cut()
    server.close()
  })
  return {
    /** The server's address through the proxy. */
    url: Object.assign(new URL(address), { hostname: host, port: `${port}` }).href,
    /** Breaks every connection; new ones are made. */
    cut,
    /** Breaks every connection and refuses new ones. */
    async refuse (): Promise<void> {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
    /** Forwards nothing any more, without closing a connection. */
    stall (): void {
      stalled = true
      for (const socket of sockets) socket.pause()
    },
    /** Forwards everything again. */
    async restore (): Promise<void> {
      stalled = false
      for (const socket of sockets) socket.resume()
      if (!server.listening) await listen()
    }
  }
}
