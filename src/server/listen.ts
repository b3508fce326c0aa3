/** Opening and closing the ports of a server. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.js'
import { errorCode } from '../lib/error-code.js'
import { Refusal } from '../lib/errors.js'
import type { Prometheus } from '../telemetry/prometheus.js'

/** Serves the metrics on their own port, 0 for any. @throws {Refusal} as `listen` does */
export const listenForMetrics = async (
  metrics: Prometheus, { metricsHost: host, metricsPort: port = 0 }: Pick<Config, 'metricsHost' | 'metricsPort'>
): Promise<FastifyInstance> => {
  const { metricsServer } = await import('../telemetry/prometheus.js')
  const app = metricsServer(metrics, host)
  await listen(app, { host, port }, 'metrics-')
  return app
}

/**
 * Listens. Messages name the options `--port` and `--host`, with this prefix.
 * @throws {Refusal} when the port is in use or not allowed, or the host is not an address of this machine
 */
export const listen = async (app: FastifyInstance, { host, port }: Address, prefix = ''): Promise<void> => {
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw addressError(error, { host, port }, prefix)
  }
}

/**
 * Finds out whether a server can listen, before it opens the database. A first start that fails later has made its key
 * without showing it.
 * @throws {Refusal} as `listen` does
 */
export const checkAddresses = async (
  { host, port, metricsHost, metricsPort }: Pick<Config, 'host' | 'port' | 'metricsHost' | 'metricsPort'>
): Promise<void> => {
  await checkAddress({ host, port }, '')
  if (metricsPort !== undefined) await checkAddress({ host: metricsHost, port: metricsPort }, 'metrics-')
}

type Address = Pick<Config, 'host' | 'port'>

const checkAddress = async (address: Address, prefix: string): Promise<void> => {
  const server = createServer()
  try {
    await once(server.listen(address), 'listening')
  } catch (error) {
    throw addressError(error, address, prefix)
  }
  await once(server.close(), 'close')
}

const addressError = (error: unknown, { host, port }: Address, prefix: string): unknown => {
  const code = errorCode(error)
  const another = `choose another with --${prefix}`
  if (code === 'EADDRINUSE') {
    return new Refusal(`Port ${port} of ${host} is in use: stop what uses it, or ${another}port.`, 'conflict')
  }
  if (code === 'EACCES') return new Refusal(`Port ${port} of ${host} may not be used by this user: ${another}port.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Refusal(`${host} is not an address of this machine: ${another}host.`)
  }
  return error
}

/** Waits for running requests, and after `seconds` ends what is still open, such as streams. */
export const closeApp = async (app: FastifyInstance, seconds: number): Promise<void> => {
  const forceCloseTimer = setTimeout(() => { app.server.closeAllConnections() }, seconds * 1000)
  try {
    await app.close()
  } finally {
    clearTimeout(forceCloseTimer)
  }
}
