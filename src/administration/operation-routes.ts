/** Registers operations as routes, with their schemas. Who is served, and what is recorded, a door decides. */
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { responses } from '../http/schemas.js'
import { JsonText, type OperationCall } from './handler.js'
import type { Operation, OperationTable, RouteDescription, RouteTable } from './operation.js'
import { IMPORT_MEDIA_TYPES } from './operations/administration.js'

type AnyCall = OperationCall<Operation>
/** What the schemas have checked, and the request that it is of. */
export type CheckedCall = Pick<AnyCall, 'params' | 'query' | 'body' | 'request' | 'reply'>
/** Everything else that a handler gets: who calls, and how it is recorded. */
export type CallerParts = Omit<{ [Part in keyof AnyCall]: unknown }, keyof CheckedCall>

/** The way in for one kind of caller. */
export interface Door {
  /** Runs before the body is read. Throws for a caller who may not use the operation. */
  admit? (request: FastifyRequest, operation: Operation): Promise<void>
  /** Runs the handler with what it gets of the caller, and records the change. */
  enter (
    call: CheckedCall, operation: Operation, isChange: boolean, run: (parts: CallerParts) => Promise<unknown>
  ): Promise<unknown>
}

/** Adds the routes to a scope that answers problems and checks requests with `useSchemas` of src/http/schemas.ts. */
export const operationRoutes = <Table extends OperationTable>(
  app: FastifyInstance, table: Table, handlers: { [Key in keyof Table]: (call: never) => Promise<unknown> },
  { admit, enter }: Door
): void => {
  // A loop cannot express that the types of a handler and of its operation belong together by their key.
  const byKey = handlers as unknown as Readonly<Record<string, (call: object) => Promise<unknown>>>
  for (const [key, operation] of Object.entries<Operation>(table)) {
    const handler = byKey[key]
    if (!handler) throw new Error(`the operation ${key} has no handler`)
    const [method = '', url = ''] = key.split(' ')
    const isChange = method !== 'GET'
    const add = (scope: FastifyInstance): void => {
      scope.route({
        method,
        url,
        schema: schemaOf(operation),
        ...operation.bodyLimit !== undefined && { bodyLimit: operation.bodyLimit },
        ...admit && { onRequest: (request: FastifyRequest) => admit(request, operation) },
        handler: async (request, reply) => {
          const call = checkedCall(request, reply)
          const answer = await enter(call, operation, isChange, (parts) => handler({ ...call, ...parts }))
          // A handler that streams its answer returns the reply, which `await` turns into nothing once it is sent.
          if (reply.sent) return reply
          reply.code(operation.status ?? 200)
          return answer instanceof JsonText ? reply.type('application/json').send(answer.text) : reply.send(answer)
        }
      })
    }
    if (!operation.consumes) add(app)
    else {
      app.register(async (scope) => {
        scope.addContentTypeParser(IMPORT_MEDIA_TYPES, async (_request: unknown, payload: unknown) => payload)
        add(scope)
      })
    }
  }
}

const checkedCall = (request: FastifyRequest, reply: FastifyReply): CheckedCall => {
  const { params, query, body } = request
  return { params, query, body, request, reply } as CheckedCall
}

interface RouteOptions { method: HTTPMethods, url: string, schema: object }

const schemaOf = (
  { id, summary, tag, params, query, body, response, consumes, produces, status }: RouteDescription
) => ({
  operationId: id,
  summary,
  tags: [tag],
  ...(params && { params }),
  ...(query && { querystring: query }),
  ...(body && { body }),
  ...(consumes && { consumes: [...consumes] }),
  ...(produces && { produces: [...produces] }),
  ...(typeof response === 'object' && { response: responses(status ?? 200, response) })
})

export const routeOf = <Table extends RouteTable>(table: Table, key: keyof Table & keyof RouteTable): RouteOptions => {
  const [method = '', url = ''] = key.split(' ')
  const operation: RouteDescription | undefined = table[key]
  if (!operation) throw new Error(`there is no operation ${key}`)
  return { method: method as HTTPMethods, url, schema: schemaOf(operation) }
}
