/** Measures each HTTP request: answered, refused, or abandoned by its client. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RequestInfo, OperationLabels } from '../engine/request-info.js'
import { isolate } from '../lib/async/isolate.js'
import type { Fault } from '../lib/errors.js'
import type { Meter } from './meter.js'

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Reports each request of `app` to `meter`, in seconds and bytes. What the meter throws goes to `failed`. */
export const instrumentRequests = (app: FastifyInstance, meter: Meter, failed: (error: unknown) => void): void => {
  app.addHook('onRequest', (request, reply, done) => {
    const started = performance.now()
    const { socket } = request.raw
    const before = socket.bytesWritten
    meter.requestStarted()
    // `finish` is missing when the client disconnects, `close` when a test injects the request: listen for both.
    const over = isolate(end, failed)
    reply.raw.once('close', over).once('finish', over)
    let reported = false
    function end (): void {
      if (reported) return
      reported = true
      report(request, reply, (performance.now() - started) / 1000, socket.bytesWritten - before)
    }
    done()
  })

  const report = (request: FastifyRequest, reply: FastifyReply, seconds: number, written: number): void => {
    const { about } = request
    const route = request.routeOptions.url ?? ''
    const operation = about?.operation ?? (about?.refused && deniedOperation(about.refused, about))
    meter.request({
      method: METHODS.has(request.method) ? request.method : 'other',
      route,
      // 499, nginx's code: the client disconnected before there was a reply.
      status: reply.raw.headersSent ? reply.raw.statusCode : 499,
      seconds,
      operation,
      requestBytes: Buffer.isBuffer(request.body) ? request.body.length : undefined,
      responseBytes: sizeOf(reply, written)
    })
    if (reply.raw.statusCode === 429) meter.rateLimited(...limitOf(about))
  }
}

const deniedOperation = ({ kind }: Fault, { era = 'legacy' }: RequestInfo): OperationLabels =>
  ({ method: 'none', tool: '', era, outcome: kind })

/** The size of a stream is what its connection wrote meanwhile, headers included; unknown for injected requests. */
const sizeOf = ({ raw }: FastifyReply, written: number): number | undefined => {
  const length = raw.getHeader('content-length')
  return length === undefined ? (Number.isFinite(written) ? written : undefined) : Number(length)
}

/** A refusal that is not on the MCP endpoint comes from the limit by address and minute. */
const limitOf = (about: RequestInfo | null): [scope: string, window: string] => {
  if (about?.operation?.outcome === 'too_many_tasks') return ['tasks', '']
  if (!about?.refused) return ['address', 'minute']
  const { scope, window } = about.refused.data ?? {}
  return [String(scope ?? 'address'), String(window ?? '')]
}
