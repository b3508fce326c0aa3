/** Registers the operations on one's own account and on invitations. Each needs a session; each change leaves an audit event. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accountOperations } from '../api/operations/account.js'
import type { BodyOf, Operation, OperationTable, ParamsOf, QueryOf, ResponseOf } from '../api/operation.js'
import { routeOf } from '../api/route-of.js'
import { recordAction } from '../record-action.js'
import { requireSession } from '../session/request-session.js'
import { accountHandlers, type AccountDeps } from './account-handlers.js'
import { invitationHandlers } from './invitation-handlers.js'

interface AccountCall<Of extends Operation> {
  params: ParamsOf<Of>
  query: QueryOf<Of>
  body: BodyOf<Of>
  /** Names the changed record in the audit event. */
  note (facts: { target: string }): void
  request: FastifyRequest
  reply: FastifyReply
}

export type AccountHandlers<Table extends OperationTable> = {
  [Key in keyof Table]: Table[Key] extends Operation ? (call: AccountCall<Table[Key]>) => Promise<ResponseOf<Table[Key]>> : never
}

type AnyHandler = (call: AccountCall<Operation>) => Promise<unknown>

export const accountRoutes = (app: FastifyInstance, deps: AccountDeps): void => {
  const handlers = { ...accountHandlers(deps), ...invitationHandlers(app, deps) } satisfies AccountHandlers<typeof accountOperations>
  for (const [key, operation] of Object.entries<Operation>(accountOperations)) {
    // A loop cannot express that the types of a handler and of its operation belong together by their key.
    const handler = (handlers as unknown as Record<string, AnyHandler>)[key]
    if (!handler) throw new Error(`the operation ${key} has no handler`)
    const route = routeOf(accountOperations, key as keyof typeof accountOperations)
    app.route({
      ...route,
      // Before the body is read: for nobody it is read.
      onRequest: async (request) => { requireSession(request) },
      handler: async (request, reply) => {
        const { user } = requireSession(request)
        let action = `web/${operation.id}`
        const { params, query, body } = request
        const call = { params, query, body, request, reply, note: ({ target }: { target: string }) => { action += ` ${target}` } }
        const answer = await handler(call as AccountCall<Operation>)
        if (route.method !== 'GET') await recordAction(deps.ports.audit, request, action, { user_id: user.id })
        return reply.code(operation.status ?? 200).send(answer)
      }
    })
  }
}
