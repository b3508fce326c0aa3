/** Audits what the web application refuses: another origin, a missing right, an exceeded limit, a failed sign-in. */
import type { FastifyInstance } from 'fastify'
import { refusalEvent, type OnDenial } from '../access/audit/audit-refusals.js'
import type { FaultKind } from '../lib/errors.js'

const OUTCOMES: Readonly<Record<number, FaultKind>> = { 401: 'unauthorized', 403: 'forbidden', 429: 'rate_limited' }

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * A 401 of this route is a failed sign-in. Elsewhere it only says that no one is signed in, which each first visit
     * does.
     */
    signIn?: boolean
  }
}

/** Adds the hook. The event names the route and, where someone is signed in, the user. */
export const auditDenials = (app: FastifyInstance, onDenial: OnDenial): void => {
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const outcome = OUTCOMES[statusCode]
    if (outcome !== undefined && (statusCode !== 401 || request.routeOptions.config.signIn === true)) {
      onDenial({ ...refusalEvent(outcome, request), user_id: request.web?.user.id })
    }
    done()
  })
}
