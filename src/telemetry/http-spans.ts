/** A span for each HTTP request, by Fastify's own instrumentation. Loaded only when a tracing SDK is active. */
import type * as Library from '@fastify/otel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requestInfo } from '../engine/request-info.js'
import { isolate } from '../lib/async/isolate.js'
import { redactPath } from '../lib/redact/redact-headers.js'
import { HTTP_SPANS_PACKAGE, importOptional } from './sdk.js'

const QUIET = new Set(['/livez', '/readyz'])

/**
 * Registers the instrumentation on `app`, before any route. What the tracer throws goes to `failed`, also that its
 * package is not installed; the request continues without its span.
 */
export const httpSpans = async (
  app: FastifyInstance, failed: (error: unknown) => void, library = HTTP_SPANS_PACKAGE
): Promise<void> => {
  const loaded = await importOptional<typeof Library>(library)
  if (!loaded) {
    failed(new Error(`Spans of HTTP requests need ${library}, which is not installed: npm install ${library}`))
    return
  }
  const { FastifyOtelInstrumentation } = loaded
  const instrumentation = new FastifyOtelInstrumentation({
    instrumentHooks: false,
    instrumentHandler: false,
    recordExceptions: false,
    ignorePaths: ({ url }) => QUIET.has(redactPath(url)),
    requestHook (span, { method, url, protocol, routeOptions: { url: route } }) {
      span.updateName(route === undefined ? method : `${method} ${route}`)
      // Without the query, which may hold secrets.
      span.setAttributes({ 'url.path': redactPath(url), 'url.scheme': protocol })
    }
  })
  await app.register(instrumentation.plugin())
  // The instrumentation records each refusal as an error, with its message. A server error shows in the status.
  app.addHook('onRoute', (route) => { delete route.onError })
  const nameTrace = isolate((request: FastifyRequest, reply: FastifyReply): void => {
    const { span } = request.opentelemetry()
    if (span) {
      const { traceId, spanId } = span.spanContext()
      requestInfo(request).trace = { trace_id: traceId, span_id: spanId }
      // The instrumentation does not end spans whose client disconnects.
      reply.raw.once('close', isolate(() => { if (span.isRecording()) span.end() }, failed))
    }
  }, failed)
  app.addHook('onRequest', (request, reply, done) => {
    nameTrace(request, reply)
    done()
  })
}
