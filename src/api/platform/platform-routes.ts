/**
 * The platform API: what a front without a database asks of this server, and a front before another platform asks of that one. Whoever
 * reaches it is trusted to say what a caller may see.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Refusal } from '../../lib/errors.js'
import type { PlatformRequest, PlatformPorts, RegisterRoute } from './platform-ports.js'
import { credentialRoutes } from './credential-routes.js'
import { recordRoutes } from './record-routes.js'
import { sessionRoutes } from './session-routes.js'
import { responses } from '../schemas.js'

const BODY_LIMIT_BYTES = 8 * 1024 * 1024

export function platformRoutes (app: FastifyInstance, ports: PlatformPorts): void {
  const route: RegisterRoute = ({ id, method, path, summary, params, query, body, answer, without }, work) => {
    app.route({
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
        const { params, query, body } = request as never as Pick<PlatformRequest<never>, 'params' | 'query' | 'body'>
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
  const gone = new AbortController()
  reply.raw.once('close', () => { if (!reply.raw.writableFinished) gone.abort() })
  return gone.signal
}
