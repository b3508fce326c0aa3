/** Requests on bare sockets, for clients that are many or ill-behaved. */
import { connect, type Socket } from 'node:net'
import { BOTH, meta, MODERN } from '../helpers/build.js'

export const connected = (address: string): Promise<Socket> => new Promise((resolve, reject) => {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname, () => resolve(socket))
  socket.once('error', reject)
})

/** A request of the modern era as it stands on the wire. */
export const requestText = (key: string, method: string, params: Record<string, unknown>): string => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta() } })
  const name = params['name']
  return [
    'POST /mcp HTTP/1.1',
    'host: localhost',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `accept: ${BOTH}`,
    `mcp-protocol-version: ${MODERN}`,
    `mcp-method: ${method}`,
    ...typeof name === 'string' ? [`mcp-name: ${name}`] : [],
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body
  ].join('\r\n')
}

export const listenText = (key: string, uris: readonly string[]): string =>
  requestText(key, 'subscriptions/listen', { notifications: { resourceSubscriptions: uris } })
