/**
 * The door of the pages: each operation is for people who are signed in and have the permission of its row, is limited
 * by person, and leaves its event in the audit log when it is a change.
 */
import type { FastifyInstance } from 'fastify'
import type { Handlers, AuditFacts } from '../administration/handler.js'
import { operationRoutes } from '../administration/operation-routes.js'
import { pageOperations, type PageOperations } from '../administration/operations.js'
import { accessTo, isForServerAdmins } from '../administration/permission.js'
import { forbidden } from '../lib/errors.js'
import type { AuditWithin } from '../planning/changes/ports.js'
import { auditChange } from './audit.js'
import { createRequestLimit } from './request-limit.js'
import { requireSession } from './session/request-session.js'
import type { WebDeps } from './web-deps.js'

/** Adds the operations of the pages to a scope that refuses unsafe requests from other origins. */
export const pageOperationRoutes = (
  app: FastifyInstance, { rateLimitCounter, config, ports: { audit } }: WebDeps, handlers: Handlers<PageOperations>
): void => {
  const limit = createRequestLimit(rateLimitCounter, config.concurrentCalls)
  operationRoutes(app, pageOperations, handlers, {
    async admit (request, { id, may }) {
      const person = requireSession(request)
      // Route parameters are texts before their schema is applied.
      await limit.count(person.user.id, id, request.params as Readonly<Record<string, string>>)
      if (isForServerAdmins(may) && !person.serverAdmin) {
        throw forbidden('Only a server administrator may do this.', 'Ask a server administrator.')
      }
    },

    enter: ({ request, reply }, { id, may, consumes, produces }, isChange, run) => {
      const person = requireSession(request)
      const work = async () => {
        const facts: AuditFacts = {}
        const change = { audit, operation: id, person, request, facts }
        const audited = <T>(work: () => Promise<T>) => auditChange(change, work)
        const handle = (auditWithin?: AuditWithin) => run({
          person,
          actor: person.user.email,
          onBehalfOf: undefined,
          access: accessTo(may, person),
          note: (more: AuditFacts) => { Object.assign(facts, more) },
          record: async () => {},
          auditWithin,
          audited
        })
        return isChange && !consumes ? await auditChange(change, handle) : await handle()
      }
      // What stays open has its own bounds.
      return produces?.includes('text/event-stream') ? work() : limit.occupy(person.user.id, reply, work)
    }
  })
}
