/** A span for each HTTP request, by Fastify's own instrumentation; loaded only where somebody keeps spans. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requestInfo } from '../mcp/http/decorate-request-info.js'
import { isolate } from '../lib/isolate.js'
import { redactPath } from '../lib/redact/redact-url.js'

/** What is asked every few seconds, and tells nothing. */
const QUIET = new Set(['/livez', '/readyz'])

/** `failed` is told what the tracer throws: requests go on without their span. */
export const httpSpans = async (app: FastifyInstance, failed: (error: unknown) => void): Promise<void> => {
  const { FastifyOtelInstrumentation } = await import('@fastify/otel')
  const instrumentation = new FastifyOtelInstrumentation({
    instrumentHooks: false,
    instrumentHandler: false,
    recordExceptions: false,
    ignorePaths: ({ url }) => QUIET.has(redactPath(url)),
    requestHook (span, { method, url, protocol, routeOptions: { url: route } }) {
      span.updateName(route === undefined ? method : `${method} ${route}`)
      // Without the query, which may hold anything.
      span.setAttributes({ 'url.path': redactPath(url), 'url.scheme': protocol })
    }
  })
  await app.register(instrumentation.plugin())
  // It takes every refusal for an error, and keeps its words. What the server did wrong is seen by the status.
  app.addHook('onRoute', (route) => { delete route.onError })
  const nameTrace = isolate((request: FastifyRequest, reply: FastifyReply): void => {
    const { span } = request.opentelemetry()
    if (span) {
      const { traceId, spanId } = span.spanContext()
      requestInfo(request).trace = { trace_id: traceId, span_id: spanId }
      // The instrumentation forgets those whose client goes away.
      reply.raw.once('close', isolate(() => { if (span.isRecording()) span.end() }, failed))
    }
  }, failed)
  app.addHook('onRequest', (request, reply, done) => {
    nameTrace(request, reply)
    done()
  })
}
