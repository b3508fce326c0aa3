/** A door on the way to a server, for tests of what happens when it is away: shut, held, or opened again. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '../../scripts/services/process.mjs'

export interface Door {
  /** The server's address by way of the door. */
  url: string
  /** Breaks every connection; new ones are made. */
  cut (): void
  /** Breaks every connection and refuses new ones. */
  shut (): Promise<void>
  /** From now on nothing passes, and nobody is told. */
  hold (): void
  /** Lets everything through again. */
  open (): Promise<void>
}

export const door = async (
  t: { teardown (end: () => void): void }, address: string, host = '127.0.0.1'
): Promise<Door> => {
  const target = new URL(address)
  const passing = new Set<Socket>()
  let held = false
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const socket of [near, far]) {
      passing.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        passing.delete(socket)
        near.destroy()
        far.destroy()
      })
      if (held) socket.pause()
    }
    near.on('data', (data) => { far.write(data) })
    far.on('data', (data) => { near.write(data) })
    if (held) for (const socket of [near, far]) socket.pause()
  })
  // One that the system gives nobody meanwhile, so that the door can be opened again.
  const port = await freePort()
  const listen = async (): Promise<void> => {
    server.listen(port, host)
    await once(server, 'listening')
  }
  await listen()
  const cut = (): void => { for (const socket of passing) socket.resetAndDestroy() }
  t.teardown(() => {
    cut()
    server.close()
  })
  return {
    url: Object.assign(new URL(address), { hostname: host, port: `${port}` }).href,
    cut,
    async shut () {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
    hold () {
      held = true
      for (const socket of passing) socket.pause()
    },
    async open () {
      held = false
      for (const socket of passing) socket.resume()
      if (!server.listening) await listen()
    }
  }
}
