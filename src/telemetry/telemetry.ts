/** Puts the watching together: of requests and messages, for whoever keeps figures or spans, and for the log. */
import type { FastifyInstance } from 'fastify'
import type { Instrument } from '../mcp/instrumentation.js'
import { requestInfo, decorateRequestInfo } from '../mcp/http/decorate-request-info.js'
import { isolateAll } from '../lib/isolate.js'
import { httpSpans } from './http-spans.js'
import { isolateWatch } from './isolate-watch.js'
import { fanOutMeter, type Metrics, type Meter } from './meter.js'
import { hasMetricsSdk, otelMetrics } from './otel-meter.js'
import { hasTracingSdk, spans } from './spans.js'
import { traceIdsOf } from './trace-parent.js'
import { tracesOfClients } from './tracing.js'
import { instrumentOperations } from './instrument-operations.js'
import { instrumentRequests } from './instrument-requests.js'

export interface Telemetry {
  /** Undefined where nobody keeps figures. */
  meter: Meter | undefined
  /** Of messages that may call these tools. */
  instrument (tools: readonly string[]): Instrument
  gauge: Metrics['gauge']
}

/** To be called before any route is registered. `failed` is told what a meter or a tracer throws: what they watch goes on. */
export const telemetry = async (
  app: FastifyInstance, prometheus: Metrics | undefined, failed: (error: unknown) => void = () => {}
): Promise<Telemetry> => {
  const sinks = [...prometheus ? [prometheus] : [], ...hasMetricsSdk() ? [otelMetrics()] : []]
  const meter = sinks.length === 0 ? undefined : fanOutMeter(sinks.map((metrics) => isolateAll(metrics.meter, failed)))
  decorateRequestInfo(app)
  if (meter) instrumentRequests(app, meter, failed)
  const spanned = hasTracingSdk()
  if (spanned) await httpSpans(app, failed)
  else nameTraces(app)
  return {
    meter,
    instrument: (tools) => isolateWatch(instrumentOperations({ tools, meter, tracing: spanned ? spans() : tracesOfClients }), failed),
    gauge (...gauge) {
      for (const metrics of sinks) metrics.gauge(...gauge)
    }
  }
}

/** Without spans the log says what the client says. */
const nameTraces = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, _reply, done) => {
    const ids = traceIdsOf(request.headers['traceparent'])
    if (ids) requestInfo(request).trace = ids
    done()
  })
}
