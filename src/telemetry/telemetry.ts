/** Composes the instrumentation of requests and messages: metrics, spans, and trace ids in the log. */
import type { FastifyInstance } from 'fastify'
import type { Instrument } from '../engine/instrumentation.js'
import { requestInfo, decorateRequestInfo } from '../engine/request-info.js'
import { isolate, isolateAll } from '../lib/async/isolate.js'
import { httpSpans } from './http-spans.js'
import { fanOutMeter, type Metrics } from './meter.js'
import { hasMetricsSdk, otelMetrics } from './otel-meter.js'
import { hasTracingSdk, spans } from './spans.js'
import { traceIdsOf, tracesOfClients, UNTRACED } from './tracing.js'
import { instrumentOperations } from './instrument-operations.js'
import { instrumentRequests } from './instrument-requests.js'

export type Telemetry = Awaited<ReturnType<typeof telemetry>>

/**
 * Instruments `app`; call it before any route is registered. What a meter or tracer throws goes to `failed`, and the
 * observed request continues.
 */
export const telemetry = async (
  app: FastifyInstance, prometheus: Metrics | undefined, failed: (error: unknown) => void
) => {
  const sinks = [...prometheus ? [prometheus] : [], ...hasMetricsSdk() ? [otelMetrics()] : []]
  const meter = sinks.length === 0 ? undefined : fanOutMeter(sinks.map((metrics) => isolateAll(metrics.meter, failed)))
  decorateRequestInfo(app)
  if (meter) instrumentRequests(app, meter, failed)
  const spanned = hasTracingSdk()
  if (spanned) await httpSpans(app, failed)
  else nameTraces(app)
  return {
    meter,
    /** The instrument of messages that may call these tools. */
    instrument (tools: readonly string[]): Instrument {
      const watch = instrumentOperations(tools, meter, spanned ? spans() : tracesOfClients)
      return (...message) => {
        try {
          const { run, finish } = watch(...message)
          return { run, finish: isolate(finish, failed) }
        } catch (error) {
          failed(error)
          return UNTRACED
        }
      }
    },
    gauge (...gauge: Parameters<Metrics['gauge']>) {
      for (const metrics of sinks) metrics.gauge(...gauge)
    }
  }
}

const nameTraces = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, _reply, done) => {
    const ids = traceIdsOf(request.headers['traceparent'])
    if (ids) requestInfo(request).trace = ids
    done()
  })
}
