/** Who is signed in, and signing out. */
import type { FastifyInstance } from 'fastify'
import session from '#schemas/web/session.json' with { type: 'json' }
import signedOut from '#schemas/web/signed_out.json' with { type: 'json' }
import { responses } from '../../api/schemas.js'
import { endpointOf, pagesUrlOf } from '../../http/server-address.js'
import { SERVER } from '../../server-info.js'
import { recordAction } from '../record-action.js'
import type { WebDeps } from '../web-deps.js'
import { requireSession } from './request-session.js'

export const sessionRoutes = (app: FastifyInstance, { config, ports: { sessions, audit } }: WebDeps): void => {
  app.get('/session', {
    schema: { operationId: 'getSession', summary: 'Who is signed in', tags: ['session'], response: responses(200, session) }
  }, async (request) => {
    const { user, serverAdmin, memberships, method, preferences: { theme, timeZone } } = requireSession(request)
    const pages = pagesUrlOf(app, config)
    return {
      user,
      server_admin: serverAdmin,
      memberships,
      method,
      passkey_count: 0,
      server: {
        name: SERVER.name, version: SERVER.version, endpoint: endpointOf(app, config) ?? `${pages}/mcp`, public_url: pages
      },
      preferences: { theme, time_zone: timeZone }
    }
  })

  // Signing out works without a session too: the browser then has none afterwards, as it asked.
  app.delete('/session', {
    schema: { operationId: 'signOut', summary: 'Sign out', tags: ['session'], response: responses(200, signedOut) }
  }, async (request, reply) => {
    const secret = app.sessionCookie.read(request)
    app.sessionCookie.clear(reply)
    const ended = secret === undefined ? undefined : await sessions.signOut(secret)
    if (ended) await recordAction(audit, request, 'session/ended sign-out', { user_id: ended.userId })
    return {}
  })
}
