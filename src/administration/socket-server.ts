/** The management API on the socket, which commands call. By where it listens each caller is the operator. */
import swagger from '@fastify/swagger'
import fastify from 'fastify'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { platformRoutes } from '../platform-api/server/platform-routes.js'
import { answerProblem, answerUnknownRoute } from '../http/problem.js'
import { useSchemas } from '../http/schemas.js'
import { boundJsonBodies } from '../http/http-server.js'
import { PREFIX } from '../platform-api/client/operation.js'
import shapes from '#schemas/platform-api/records.json' with { type: 'json' }
import { socketHandlers } from './handlers.js'
import { workspacesHandlers } from './handlers/workspaces.js'
import type { AuditFacts } from './handler.js'
import { operationRoutes, type Door } from './operation-routes.js'
import { socketOperations } from './operations.js'
import { workspacesOperations } from './operations/workspaces.js'
import { declaredActor, operationEvent, userNamed } from './operator.js'
import type { ManagementPorts } from './ports.js'
import type { AuditWithin } from '../planning/changes/ports.js'

/** Addresses of people are parameters of paths. */
const MAX_PARAM_CHARS = 320
const ALL = { own: true, workspaces: [], all: true }

/** The way in for callers that may do everything; `actorOf` says who calls, for the audit log. */
export const operatorDoor = ({ audit }: Pick<ManagementPorts, 'audit'>, actorOf: typeof declaredActor): Door => ({
  enter ({ request }, { audit: [action = '', ...others] = [], consumes }, isChange, run) {
    const actor = actorOf(request)
    const facts: AuditFacts = {}
    let isWritten = action === '' || others.length > 0
    const eventOf = (action: string, about = facts) => operationEvent(action, about, actor, request.id)
    const audited = async <T>(work: () => Promise<T>): Promise<T> => {
      const made = await work()
      if (!isWritten) await audit.record(eventOf(action))
      isWritten = true
      return made
    }
    const auditWithin: AuditWithin = async (work) => {
      const made = await work(() => eventOf(action))
      isWritten = true
      return made
    }
    const handle = () => run({
      person: undefined,
      actor,
      onBehalfOf: userNamed(request),
      access: ALL,
      note: (more: AuditFacts) => { Object.assign(facts, more) },
      record: (action: string, about: AuditFacts) => audit.record(eventOf(action, about)),
      auditWithin,
      audited
    })
    return isChange && !consumes ? audited(handle) : handle()
  }
})

async function managementRoutes (app: FastifyInstance, ports: ManagementPorts): Promise<void> {
  useSchemas(app)
  app.setErrorHandler(answerProblem)
  app.setNotFoundHandler(answerUnknownRoute)
  app.addHook('onRequest', async (_request, reply) => { reply.header('cache-control', 'no-store') })
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
  operationRoutes(app, socketOperations, socketHandlers(ports), operatorDoor(ports, declaredActor))
  platformRoutes(app, ports)
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
}

export async function managementServer (ports: ManagementPorts, logger?: FastifyBaseLogger): Promise<FastifyInstance> {
  const routerOptions = { maxParamLength: MAX_PARAM_CHARS }
  const app = logger ? fastify({ routerOptions, loggerInstance: logger }) : fastify({ routerOptions })
  boundJsonBodies(app)
  app.addHook('onRequest', async (_request, reply) => { reply.header('x-content-type-options', 'nosniff') })
  await app.register(async (scope) => { await managementRoutes(scope, ports) }, { prefix: PREFIX })
  app.setNotFoundHandler(answerUnknownRoute)
  return app
}

const UPDATE = 'PATCH /workspaces/:id'
const PLATFORM_OPERATIONS = { [UPDATE]: { ...workspacesOperations[UPDATE], body: shapes.workspaceAgents } } as const

/** What the token of a platform lets it administer, beside what gateways ask: what agents may do in its workspaces. */
export const platformManagement = (
  app: FastifyInstance, ports: Pick<ManagementPorts, 'api' | 'audit' | 'directory'>
): void => {
  operationRoutes(app, PLATFORM_OPERATIONS, workspacesHandlers(ports), operatorDoor(ports, () => 'the platform'))
}
