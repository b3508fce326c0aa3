/** The management API, which the command line calls. Access is decided by where it listens. */
import swagger from '@fastify/swagger'
import fastify from 'fastify'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { apiKeys } from './api-keys.js'
import { auditEvents } from './audit-events.js'
import { connectionRoutes } from './connections.js'
import { devices } from './devices.js'
import { imports } from './imports.js'
import { memberships } from './memberships.js'
import { answerProblem, answerUnknownRoute } from '../http/problem.js'
import { boundJsonBodies } from '../http/json-bodies.js'
import { compile } from '../http/schemas.js'
import { oauthClients } from './oauth-clients.js'
import { observations } from './observations.js'
import { serverStatus } from './server-status.js'
import { searchIndexRoutes } from './search-index-routes.js'
import { signInLinks } from './sign-in-links.js'
import { tokens } from './tokens.js'
import { users } from './users.js'
import { PREFIX } from '../platform-api/client/operation.js'
import { platformRoutes } from '../platform-api/server/platform-routes.js'
import type { ManagementPorts } from './management-ports.js'

/** A Fastify plugin; register it with the prefix of its paths. */
async function managementRoutes (app: FastifyInstance, ports: ManagementPorts): Promise<void> {
  app.setValidatorCompiler(compile)
  app.setErrorHandler(answerProblem)
  app.setNotFoundHandler(answerUnknownRoute)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'exploration-mcp management',
        description: 'People, credentials, records and the audit log; and what gateways ask.',
        version: '1'
      }
    }
  })
  const all = [
    users,
    memberships,
    apiKeys,
    tokens,
    devices,
    oauthClients,
    connectionRoutes,
    signInLinks,
    auditEvents,
    observations,
    imports,
    searchIndexRoutes,
    serverStatus,
    platformRoutes
  ]
  for (const routes of all) routes(app, ports)
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
}

/** A separate server for the API alone, ready to listen on a socket. */
export async function managementServer (ports: ManagementPorts, logger?: FastifyBaseLogger): Promise<FastifyInstance> {
  const app = logger ? fastify({ loggerInstance: logger }) : fastify()
  boundJsonBodies(app)
  app.addHook('onRequest', async (_request, reply) => { reply.header('x-content-type-options', 'nosniff') })
  await app.register(async (scope) => { await managementRoutes(scope, ports) }, { prefix: PREFIX })
  app.setNotFoundHandler(answerUnknownRoute)
  return app
}
