/** Opening and closing the ports of a server. */
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.js'
import { errorCode } from '../lib/error-code.js'
import { Refusal } from '../lib/errors.js'
import { metricsServer } from '../telemetry/metrics-server.js'
import type { Prometheus } from '../telemetry/prometheus.js'

/**
 * Serves the metrics on their own port, 0 for any.
 * @throws {Refusal} as `listen` does
 */
export const listenForMetrics = async (
  metrics: Prometheus, { metricsHost: host, metricsPort: port = 0 }: Pick<Config, 'metricsHost' | 'metricsPort'>
): Promise<FastifyInstance> => {
  const app = metricsServer(metrics, host)
  await listen(app, { host, port }, '--metrics-port', '--metrics-host')
  return app
}

/**
 * Listens. `portFlag` and `hostFlag` name the options in the messages.
 * @throws {Refusal} when the port is in use or not allowed, or the host is not an address of this machine
 */
export const listen = async (
  app: FastifyInstance, { host, port }: Pick<Config, 'host' | 'port'>, portFlag: string, hostFlag: string
): Promise<void> => {
  try {
    await app.listen({ host, port })
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EADDRINUSE') {
      throw new Refusal(
        `Port ${port} of ${host} is in use: stop what uses it, or choose another with ${portFlag}.`, 'conflict'
      )
    }
    if (code === 'EACCES') {
      throw new Refusal(`Port ${port} of ${host} may not be used by this user: choose another with ${portFlag}.`)
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new Refusal(`${host} is not an address of this machine: choose another with ${hostFlag}.`)
    }
    throw error
  }
}

/**
 * Stops accepting requests, waits for running ones, and ends what is still open, such as streams, after the
 * configured time.
 */
export const closeApp = async (app: FastifyInstance, seconds: number): Promise<void> => {
  const hurry = setTimeout(() => { app.server.closeAllConnections() }, seconds * 1000)
  try {
    await app.close()
  } finally {
    clearTimeout(hurry)
  }
}
