/** The platform API over HTTP: the operations for gateways with a token, their OpenAPI description for everyone. */
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { platformRoutes } from './platform-routes.js'
import type { PlatformPorts } from './platform-work.js'
import { answerProblem } from '../../http/problem.js'
import { useSchemas } from '../../http/schemas.js'

export interface PlatformServer {
  ports: PlatformPorts
  /** Adds the hooks that refuse callers without a token. */
  guard: (app: FastifyInstance) => Promise<void>
  /** Adds what the token lets a platform do beside what gateways ask. */
  more?: ((app: FastifyInstance) => void) | undefined
}

const DESCRIPTION = 'What an MCP gateway without a database asks of a platform. A platform that has these ' +
  'endpoints can stand behind the gateway; those that are called optional may answer 404. Ids are UUIDs in lower ' +
  'case, times RFC 3339 in UTC with milliseconds. Errors are problem documents (RFC 9457): the gateway reads their ' +
  'status only. 401 or 403 says that the gateway is not let in; 422 that a cursor is none of that list; 429 and ' +
  '5xx that it should come again, after Retry-After.'
const TOKEN_DESCRIPTION = 'PLATFORM_TOKEN, the same on the gateway and the platform.'

/** A Fastify plugin; register it with the prefix of its paths. */
export async function platformServer (app: FastifyInstance, { ports, guard, more }: PlatformServer): Promise<void> {
  useSchemas(app)
  app.setErrorHandler(answerProblem)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'exploration-mcp platform', description: DESCRIPTION, version: '1' },
      security: [{ platformToken: [] }],
      components: {
        securitySchemes: { platformToken: { type: 'http', scheme: 'bearer', description: TOKEN_DESCRIPTION } }
      }
    }
  })
  await app.register(async (scope) => {
    await guard(scope)
    platformRoutes(scope, ports)
    more?.(scope)
  })
  // Public, and the same for as long as the server runs.
  let description: string | undefined
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    description ??= JSON.stringify(app.swagger())
    return reply.type('application/json; charset=utf-8').send(description)
  })
}
