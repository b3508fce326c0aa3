/** Metrics by the metrics API of OpenTelemetry, named by its conventions. */
import { createNoopMeter, metrics } from '@opentelemetry/api'
import { failureOf, namesOf, OPERATION_BUCKETS, SCOPE, TRANSPORT } from './conventions.js'
import type { Metrics, Meter } from './meter.js'

export const hasMetricsSdk = (): boolean => metrics.getMeter(...SCOPE) !== createNoopMeter()

/** Creates the instruments; durations are in seconds. They go to the SDK that is active at the time of the call. */
export const otelMetrics = (): Metrics => {
  const otel = metrics.getMeter(...SCOPE)
  const seconds = (name: string, description: string) =>
    otel.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries: OPERATION_BUCKETS } })
  const operations =
    seconds('mcp.server.operation.duration', 'From the receipt of a request or notification to its result.')
  const sessions = seconds('mcp.server.session.duration', 'Of sessions that their clients ended.')
  const requests = seconds('http.server.request.duration', 'HTTP requests, until the last byte.')
  const sessionsOpened = otel.createCounter('mcp.server.sessions.opened')
  const limited = otel.createCounter('mcp.server.rate_limit.refusals')

  const meter: Meter = {
    operation: (operation, duration, revision) => operations.record(duration, {
      ...namesOf(operation),
      ...TRANSPORT,
      ...failureOf(operation),
      ...(revision !== undefined && { 'mcp.protocol.version': revision })
    }),
    requestStarted: () => {},
    request: ({ method, route, status, seconds: duration }) => requests.record(duration, {
      'http.request.method': method === 'other' ? '_OTHER' : method,
      'http.response.status_code': status,
      ...(route !== '' && { 'http.route': route }),
      ...(status >= 500 && { 'error.type': `${status}` })
    }),
    rateLimited: (scope, window) => limited.add(1, { scope, ...(window !== '' && { window }) }),
    sessionOpened: () => sessionsOpened.add(1),
    sessionEnded: (duration) => sessions.record(duration)
  }

  return {
    meter,
    gauge (name, description, read, label) {
      otel.createObservableGauge(`mcp.server.${name}`, { description }).addCallback(async (observed) => {
        const figure = await read()
        if (typeof figure === 'number') return observed.observe(figure)
        if (label === undefined) return
        for (const [value, number] of Object.entries(figure)) observed.observe(number, { [label]: value })
      })
    }
  }
}
