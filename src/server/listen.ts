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
  await listen(app, { host, port }, '--metrics-port', '--metrics-host')
  return app
}

/**
 * Listens. `portFlag` and `hostFlag` name the options in the messages.
 * @throws {Refusal} when the port is in use or not allowed, or the host is not an address of this machine
 */
export const listen = async (
  app: FastifyInstance, { host, port }: Address, portFlag: string, hostFlag: string
): Promise<void> => {
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw addressError(error, { host, port }, portFlag, hostFlag)
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
  await checkAddress({ host, port }, '--port', '--host')
  if (metricsPort !== undefined) {
    await checkAddress({ host: metricsHost, port: metricsPort }, '--metrics-port', '--metrics-host')
  }
}

type Address = Pick<Config, 'host' | 'port'>

const checkAddress = async (address: Address, portFlag: string, hostFlag: string): Promise<void> => {
  const server = createServer()
  try {
    await once(server.listen(address), 'listening')
  } catch (error) {
    throw addressError(error, address, portFlag, hostFlag)
  }
  await once(server.close(), 'close')
}

const addressError = (error: unknown, { host, port }: Address, portFlag: string, hostFlag: string): unknown => {
  const code = errorCode(error)
  if (code === 'EADDRINUSE') {
    return new Refusal(
      `Port ${port} of ${host} is in use: stop what uses it, or choose another with ${portFlag}.`, 'conflict'
    )
  }
  if (code === 'EACCES') {
    return new Refusal(`Port ${port} of ${host} may not be used by this user: choose another with ${portFlag}.`)
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Refusal(`${host} is not an address of this machine: choose another with ${hostFlag}.`)
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
