/** The URLs of this server: of its MCP endpoint, and of its pages. */
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.js'
import { isLoopbackHost } from '../lib/http/loopback.js'

/** Returns the base URL of a listening address. An address for all interfaces becomes the loopback address. */
export const baseOf = (address: string, port: number): string => {
  const host = isEveryInterface(address) ? '127.0.0.1' : address
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Passkeys refuse IP addresses, so loopback is `localhost` for the pages. */
export const pagesBaseOf = (address: string, port: number): string =>
  isEveryInterface(address) || isLoopbackHost(address) ? `http://localhost:${port}` : baseOf(address, port)

export const endpointOf = (app: FastifyInstance, { publicUrl }: Config): string | undefined => {
  const listening = listeningOn(app)
  return listening && `${publicUrl ?? baseOf(listening.address, listening.port)}/mcp`
}

/** Returns the base URL of the pages, without a trailing slash; before the server listens, the one it is to have. */
export const pagesUrlOf = (app: FastifyInstance, { publicUrl, host, port }: Config): string => {
  if (publicUrl !== undefined) return publicUrl
  const listening = listeningOn(app)
  return listening ? pagesBaseOf(listening.address, listening.port) : pagesBaseOf(host, port)
}

const listeningOn = (app: FastifyInstance): { address: string, port: number } | undefined => {
  const listening = app.server.address()
  return listening === null || typeof listening === 'string' ? undefined : listening
}

const isEveryInterface = (address: string): boolean => address === '0.0.0.0' || address === '::'
