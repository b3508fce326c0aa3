/** Puts the watching together: of requests and messages, for whoever keeps figures or spans, and for the log. */
import type { FastifyInstance } from 'fastify'
import type { Watch } from '../eras/watch.js'
import { aboutOf, keepAbout } from '../http/about.js'
import { httpSpans } from './http-spans.js'
import { told, type Figures, type Meter } from './meter.js'
import { keepsFigures, otelFigures } from './otel-meter.js'
import { keepsSpans, spans } from './spans.js'
import { traceIdsOf } from './trace-parent.js'
import { tracesOfClients } from './tracing.js'
import { watchOperations } from './watch-operations.js'
import { watchRequests } from './watch-requests.js'

export interface Telemetry {
  /** Undefined where nobody keeps figures. */
  meter: Meter | undefined
  /** Of messages that may call these tools. */
  watch (tools: readonly string[]): Watch
  gauge: Figures['gauge']
}

/** To be called before any route is registered. */
export const telemetry = async (app: FastifyInstance, shown: Figures | undefined): Promise<Telemetry> => {
  const kept = [...shown ? [shown] : [], ...keepsFigures() ? [otelFigures()] : []]
  const meter = kept.length === 0 ? undefined : told(kept.map((figures) => figures.meter))
  keepAbout(app)
  if (meter) watchRequests(app, meter)
  const spanned = keepsSpans()
  if (spanned) await httpSpans(app)
  else nameTraces(app)
  return {
    meter,
    watch: (tools) => watchOperations({ tools, meter, tracing: spanned ? spans() : tracesOfClients }),
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
