/**
 * Registers every operation of the table as a route with its schemas, its permission and, for changes, its audit
 * event.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MEDIA_TYPES } from '../../administration/imports.js'
import { forbidden } from '../../lib/errors.js'
import { accessTo, isForServerAdmins } from '../permissions.js'
import { auditChange } from './audit-change.js'
import { JsonText, type AuditFacts, type OperationCall } from './handler.js'
import { createHandlers } from './handlers.js'
import type { Operation } from './operation.js'
import { operations, type OperationId } from './operations.js'
import { schemaOf } from './route-of.js'
import { createRequestLimit, type RequestLimit } from './request-limit.js'
import type { WebApiDeps } from './web-api-deps.js'

type AnyCall = OperationCall<Operation>
type AnyHandler = (call: AnyCall) => Promise<unknown>
type IdentifiedOperation = Operation & { id: OperationId }

/**
 * Adds the routes to a scope that answers problems, checks requests with `compile` of src/http/schemas.ts and refuses
 * unsafe requests from other origins. Who is signed in, `deps.requirePerson` says.
 */
export const operationRoutes = (app: FastifyInstance, deps: WebApiDeps): void => {
  const limit = createRequestLimit(deps.rateLimitCounter, deps.concurrentCalls)
  // A loop cannot express that the types of a handler and of its operation belong together by their key.
  const handlers = createHandlers(deps) as unknown as Readonly<Record<string, AnyHandler>>
  for (const [key, operation] of Object.entries<IdentifiedOperation>(operations)) {
    const handler = handlers[key]
    if (!handler) throw new Error(`the operation ${key} has no handler`)
    if (!operation.consumes) addRoute(app, deps, limit, key, operation, handler)
    else {
      app.register(async (scope) => {
        scope.addContentTypeParser(MEDIA_TYPES, async (_request: unknown, payload: unknown) => payload)
        addRoute(scope, deps, limit, key, operation, handler)
      })
    }
  }
}

const addRoute = (
  app: FastifyInstance, deps: WebApiDeps, limit: RequestLimit, key: string, operation: IdentifiedOperation,
  handler: AnyHandler
): void => {
  const [method = '', url = ''] = key.split(' ')
  const { id, status = 200 } = operation
  app.route({
    method,
    url,
    schema: schemaOf(operation),
    // Before the body is read: nobody who may not do this has one read.
    onRequest: async (request) => {
      const person = deps.requirePerson(request)
      // Route parameters are texts before their schema is applied.
      await limit.count(person.user.id, id, request.params as Readonly<Record<string, string>>)
      if (isForServerAdmins(id) && !person.serverAdmin) {
        throw forbidden('Only a server administrator may do this.', 'Ask a server administrator.')
      }
    },
    handler: (request, reply) => limit.occupy(deps.requirePerson(request).user.id, reply, async () => {
      const person = deps.requirePerson(request)
      const facts: AuditFacts = {}
      const call = {
        ...partsOf(request),
        person,
        access: accessTo(id, person),
        note: (more: AuditFacts) => { Object.assign(facts, more) },
        audited: <T>(work: () => Promise<T>) => auditChange(
          { audit: deps.audit, operation: id, person, request, facts }, work
        ),
        request,
        reply
      }
      if (method === 'GET' || operation.consumes) {
        const answer = await handler(call)
        return answer instanceof JsonText ? reply.type('application/json').send(answer.text) : answer
      }
      const answer = await call.audited(() => handler(call))
      return answer === reply ? reply : reply.code(status).send(answer)
    })
  })
}

/** What the schemas have checked. */
const partsOf = ({ params, query, body }: FastifyRequest): Pick<AnyCall, 'params' | 'query' | 'body'> =>
  ({ params, query, body }) as Pick<AnyCall, 'params' | 'query' | 'body'>
