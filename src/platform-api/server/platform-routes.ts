/**
 * The platform API: the operations that a gateway without a database calls. Its callers are trusted: they say which
 * workspaces the user may see.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Refusal } from '../../lib/errors.js'
import { onDisconnect } from '../../lib/http/end-after-request.js'
import type { OperationSpec } from '../client/operation.js'
import { operations, platformWork, type PlatformRequest, type PlatformPorts } from './platform-work.js'
import { responses } from '../../http/schemas.js'

const BODY_LIMIT_BYTES = 8 * 1024 * 1024

interface OperationRoute {
  Params: PlatformRequest<unknown>['params']
  Querystring: PlatformRequest<unknown>['query']
  Body: unknown
}

/** Registers all operations of src/platform-api/client. Each response is `no-store`; an unknown record is 404. */
export function platformRoutes (app: FastifyInstance, ports: PlatformPorts): void {
  // Each operation's own schema has checked what its work is given.
  const works: Readonly<Record<string, (request: PlatformRequest<never>) => Promise<unknown>>> = platformWork(ports)
  for (const operation of Object.values<OperationSpec>(operations)) {
    const { id, method, path, summary, params, query, body, answer, without } = operation
    app.route<OperationRoute>({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      exposeHeadRoute: false,
      bodyLimit: BODY_LIMIT_BYTES,
      schema: {
        operationId: id,
        summary,
        description: without === undefined ? 'Needed.' : `Optional. Without it ${without}.`,
        tags: ['platform'],
        ...params && { params },
        ...query && { querystring: query },
        ...body && { body },
        response: responses(200, answer)
      },
      handler: async (request, reply) => {
        const { params, query, ip: from } = request
        const signal = whileWaiting(reply)
        const found = await works[id]?.({ params, query, body: request.body as never, from, signal })
        if (found === undefined) throw new Refusal('There is nothing of this id.', 'not_found')
        return reply.header('cache-control', 'no-store').send(found)
      }
    })
  }
}

const whileWaiting = (reply: FastifyReply): AbortSignal => {
  const disconnect = new AbortController()
  onDisconnect(reply.raw, () => disconnect.abort())
  return disconnect.signal
}
