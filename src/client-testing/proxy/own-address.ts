/**
 * The address of a proxy on 127.0.0.1. A page in a browser can send requests to it by DNS rebinding, and so can any
 * user of the machine: a proxy that adds a credential has a path that neither knows.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Server } from 'node:http'

const SECRET_BYTES = 16
export const LOOPBACK = '127.0.0.1'

export const closeServer = async (server: Server): Promise<void> => {
  server.closeAllConnections()
  await new Promise<void>((resolve) => { server.close(() => resolve()) })
}

/** On a free port. `name` is the host of the URL; with `secret` the path has 128 random bits before `/mcp`. */
export const listenOnLoopback = async (
  server: Server, { name = LOOPBACK, secret = false }: { name?: 'localhost' | '127.0.0.1', secret?: boolean } = {}
) => {
  await once(server.listen(0, LOOPBACK), 'listening')
  const { port } = server.address() as AddressInfo
  const hosts = [LOOPBACK, 'localhost'].map((host) => `${host}:${port}`)
  const prefix = secret ? `/${randomBytes(SECRET_BYTES).toString('hex')}` : ''
  return {
    url: `http://${name}:${port}${prefix}/mcp`,
    isHost: (host = '') => hosts.includes(host),
    /** Returns the path and query of a request without the secret part; undefined when it is not there. */
    pathOf: (url = '/') => url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : undefined
  }
}
