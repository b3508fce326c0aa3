/**
 * The platform API: the operations that a gateway without a database calls. Its callers are trusted: they say which
 * workspaces the user may see.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Refusal } from '../../lib/errors.js'
import { onDisconnect } from '../../lib/http/end-after-request.js'
import type { PlatformOperation } from '../client/operation.js'
import type { PlatformRequest, PlatformPorts, RegisterRoute } from './platform-ports.js'
import { credentialRoutes } from './credential-routes.js'
import { recordRoutes } from './record-routes.js'
import { sessionRoutes } from './session-routes.js'
import { responses } from '../../http/schemas.js'

const BODY_LIMIT_BYTES = 8 * 1024 * 1024

interface OperationRoute {
  Params: PlatformRequest<unknown>['params']
  Querystring: PlatformRequest<unknown>['query']
  Body: unknown
}

/** Registers all operations of src/platform-api/client. Each response is `no-store`; an unknown record is 404. */
export function platformRoutes (app: FastifyInstance, ports: PlatformPorts): void {
  const route: RegisterRoute = <Answer, Body>(
    { id, method, path, summary, params, query, body, answer, without }: PlatformOperation<Answer, Body>,
    work: (request: PlatformRequest<Body>) => Promise<Answer | undefined>
  ) => {
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
        const { params, query } = request
        // The operation's own schema has checked it.
        const body = request.body as Body
        const found = await work({ params, query, body, from: request.ip, signal: whileWaiting(reply) })
        if (found === undefined) throw new Refusal('There is nothing of this id.', 'not_found')
        return reply.header('cache-control', 'no-store').send(found)
      }
    })
  }
  credentialRoutes(route, ports)
  recordRoutes(route, ports)
  sessionRoutes(route, ports)
}

const whileWaiting = (reply: FastifyReply): AbortSignal => {
  const disconnect = new AbortController()
  onDisconnect(reply.raw, () => disconnect.abort())
  return disconnect.signal
}
