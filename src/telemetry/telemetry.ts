/** Puts the watching together: of requests and messages, for whoever keeps figures or spans, and for the log. */
import type { FastifyInstance } from 'fastify'
import type { Watch } from '../mcp/instrumentation.js'
import { aboutOf, keepAbout } from '../mcp/http/decorate-request-info.js'
import { isolateAll } from '../lib/isolate.js'
import { httpSpans } from './http-spans.js'
import { isolateWatch } from './isolate-watch.js'
import { told, type Figures, type Meter } from './meter.js'
import { keepsFigures, otelFigures } from './otel-meter.js'
import { keepsSpans, spans } from './spans.js'
import { traceIdsOf } from './trace-parent.js'
import { tracesOfClients } from './tracing.js'
import { watchOperations } from './instrument-operations.js'
import { watchRequests } from './instrument-requests.js'

export interface Telemetry {
  /** Undefined where nobody keeps figures. */
  meter: Meter | undefined
  /** Of messages that may call these tools. */
  watch (tools: readonly string[]): Watch
  gauge: Figures['gauge']
}

/** To be called before any route is registered. `failed` is told what a meter or a tracer throws: what they watch goes on. */
export const telemetry = async (
  app: FastifyInstance, shown: Figures | undefined, failed: (error: unknown) => void = () => {}
): Promise<Telemetry> => {
  const kept = [...shown ? [shown] : [], ...keepsFigures() ? [otelFigures()] : []]
  const meter = kept.length === 0 ? undefined : told(kept.map((figures) => isolateAll(figures.meter, failed)))
  keepAbout(app)
  if (meter) watchRequests(app, meter, failed)
  const spanned = keepsSpans()
  if (spanned) await httpSpans(app, failed)
  else nameTraces(app)
  return {
    meter,
    watch: (tools) => isolateWatch(watchOperations({ tools, meter, tracing: spanned ? spans() : tracesOfClients }), failed),
    gauge (...gauge) {
      for (const figures of kept) figures.gauge(...gauge)
    }
  }
}

/** Without spans the log says what the client says. */
const nameTraces = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, _reply, done) => {
    const ids = traceIdsOf(request.headers['traceparent'])
    if (ids) aboutOf(request).trace = ids
    done()
  })
}
