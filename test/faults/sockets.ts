/** Requests on bare sockets, for clients that are many or ill-behaved. */
import { connect, type Socket } from 'node:net'
import { modernRequest } from '../helpers/build.js'

export const connected = (address: string): Promise<Socket> => new Promise((resolve, reject) => {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname, () => resolve(socket))
  socket.once('error', reject)
})

/** A request of the modern era as it stands on the wire. */
export const requestText = (key: string, method: string, params: Record<string, unknown>): string => {
  const { headers, body } = modernRequest(key, method, params)
  const lines = Object.entries({ host: 'localhost', ...headers, 'content-length': Buffer.byteLength(body) }).map(([name, value]) => `${name}: ${value}`)
  return ['POST /mcp HTTP/1.1', ...lines, '', body].join('\r\n')
}

export const listenText = (key: string, uris: readonly string[]): string =>
  requestText(key, 'subscriptions/listen', { notifications: { resourceSubscriptions: uris } })
