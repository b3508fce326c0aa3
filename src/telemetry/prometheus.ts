/** Metrics that Prometheus scrapes. Labels have few different values, whatever clients send. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { SERVER } from '../config/server-info.js'
import type { Metrics } from './meter.js'
import fastify, { type FastifyInstance } from 'fastify'
import { Fault } from '../lib/errors.js'
import { originGuard } from '../lib/http/origin-guard.js'
import { isLoopbackHost } from '../lib/http/loopback.js'

export type Prometheus = ReturnType<typeof prometheus>

const OPERATION = ['method', 'tool', 'era', 'outcome'] as const
// The boundaries of OpenTelemetry's conventions for operations, and two smaller ones for replies from memory.
const SECONDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60]
const BYTES = [256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304]

/** Creates a registry with the server's metrics and Node's default ones. Durations are in seconds, sizes in bytes. */
export const prometheus = () => {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter({ name, help, labelNames: [...labelNames], registers })
  const histogram = <Label extends string>(
    name: string, help: string, buckets: number[], labelNames: readonly Label[]
  ) => new Histogram({ name, help, buckets, labelNames: [...labelNames], registers })

  const operations =
    counter('mcp_requests_total', 'Messages worked on, and requests refused before (method "none").', OPERATION)
  const durations = histogram('mcp_request_duration_seconds',
    'From a message’s start to its result, streams and audit included.', SECONDS, OPERATION)
  const requestBytes = histogram('mcp_request_size_bytes', 'Bodies of requests to the MCP endpoint.', BYTES, OPERATION)
  const responseBytes = histogram('mcp_response_size_bytes', 'Bodies of its replies.', BYTES, OPERATION)
  const http = histogram('mcp_http_request_duration_seconds', 'HTTP requests on every route, until the last byte.',
    SECONDS, ['method', 'route', 'status'])
  const inFlight = new Gauge({
    name: 'mcp_http_requests_in_flight', help: 'HTTP requests under way, open streams among them.', registers
  })
  const limited = counter('mcp_rate_limit_refusals_total',
    'Refusals by a limit: scope of the credential (or address, streams) and window.', ['scope', 'window'])
  const sessionsOpened = counter('mcp_sessions_opened_total', 'Legacy sessions opened by this process.')
  const ended = counter('mcp_sessions_ended_total', 'Legacy sessions that their clients ended; others just expire.')
  new Gauge({
    name: 'mcp_build_info', help: 'Always 1; what runs is in the labels.', labelNames: ['version', 'node'], registers
  }).set({ version: SERVER.version, node: process.version }, 1)

  const metrics: Metrics = {
    meter: {
      operation (operation, seconds) {
        operations.inc(operation)
        durations.observe(operation, seconds)
      },
      requestStarted: () => inFlight.inc(),
      request ({ method, route, status, seconds, operation, requestBytes: receivedBytes, responseBytes: sentBytes }) {
        inFlight.dec()
        http.observe({ method, route, status }, seconds)
        if (!operation) return
        if (operation.method === 'none') operations.inc(operation)
        if (receivedBytes !== undefined) requestBytes.observe(operation, receivedBytes)
        if (sentBytes !== undefined) responseBytes.observe(operation, sentBytes)
      },
      rateLimited: (scope, window) => limited.inc({ scope, window }),
      sessionOpened: () => sessionsOpened.inc(),
      sessionEnded: () => ended.inc()
    },

    gauge (name, help, read, label) {
      registry.registerMetric(new Gauge({
        name: `mcp_${name}`,
        help,
        labelNames: label === undefined ? [] : [label],
        registers: [],
        async collect () {
          this.reset()
          try {
            const figure = await read()
            if (typeof figure === 'number') this.set(figure)
            else if (label !== undefined) {
              for (const [value, number] of Object.entries(figure)) this.set({ [label]: value }, number)
            }
          } catch {
            this.remove()
          }
        }
      }))
    }
  }
  const scrape = async () => ({ type: registry.contentType, text: await registry.metrics() })
  return { ...metrics, scrape }
}

/** The server of `GET /metrics`, not yet listening. On a loopback address only local origins may read it. */
export const metricsServer = ({ scrape }: Prometheus, host: string): FastifyInstance => {
  const app = fastify({ logger: false, requestTimeout: 10_000, forceCloseConnections: true })
  const origin = originGuard({ allowed: [], loopback: isLoopbackHost(host) })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-content-type-options', 'nosniff')
    origin.check(request)
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({
    error: 'not_found', message: 'There is nothing here but GET /metrics.'
  }))
  app.setErrorHandler((error, _request, reply) => error instanceof Fault
    ? reply.code(403).send({ error: error.kind, message: error.message })
    : reply.code(500).send({ error: 'internal_error', message: 'The metrics could not be read.' }))
  app.get('/metrics', async (_request, reply) => {
    const { type, text } = await scrape()
    return reply.header('content-type', type).send(text)
  })
  return app
}
