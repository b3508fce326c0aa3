/** A TCP proxy before a server, for tests of what happens when the server cannot be reached. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '../../scripts/services/process.mjs'

export interface TcpProxy {
  /** The server's address through the proxy. */
  url: string
  /** Breaks every connection; new ones are made. */
  cut (): void
  /** Breaks every connection and refuses new ones. */
  refuse (): Promise<void>
  /** Forwards nothing any more, without closing a connection. */
  stall (): void
  /** Forwards everything again. */
  restore (): Promise<void>
}

export const tcpProxy = async (
  t: { teardown (end: () => void): void }, address: string, host = '127.0.0.1'
): Promise<TcpProxy> => {
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
    url: Object.assign(new URL(address), { hostname: host, port: `${port}` }).href,
    cut,
    async refuse () {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
    stall () {
      stalled = true
      for (const socket of sockets) socket.pause()
    },
    async restore () {
      stalled = false
      for (const socket of sockets) socket.resume()
      if (!server.listening) await listen()
    }
  }
}
