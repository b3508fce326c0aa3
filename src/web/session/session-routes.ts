/** Who is signed in, and signing out. */
import type { FastifyInstance } from 'fastify'
import { endpointOf, pagesUrlOf } from '../../http/server-address.js'
import { SERVER } from '../../server-info.js'
import { signInOperations } from '../api/operations/sign-in.js'
import { routeOf } from '../api/route-of.js'
import { recordAction } from '../record-action.js'
import type { WebDeps } from '../web-deps.js'
import { requireSession } from './request-session.js'

export const sessionRoutes = (app: FastifyInstance, { config, ports: { sessions, passkeys, audit } }: WebDeps): void => {
  app.route({
    ...routeOf(signInOperations, 'GET /session'),
    handler: async (request) => {
      const { user, serverAdmin, memberships, method, preferences: { theme, timeZone } } = requireSession(request)
      const pages = pagesUrlOf(app, config)
      return {
        user,
        server_admin: serverAdmin,
        memberships,
        method,
        passkey_count: (await passkeys.list(user.id)).length,
        server: {
          name: SERVER.name, version: SERVER.version, endpoint: endpointOf(app, config) ?? `${pages}/mcp`, public_url: pages
        },
        preferences: { theme, time_zone: timeZone }
      }
    }
  })

  // Signing out works without a session too: the browser then has none afterwards, as it asked.
  app.route({
    ...routeOf(signInOperations, 'DELETE /session'),
    handler: async (request, reply) => {
      const secret = app.sessionCookie.read(request)
      app.sessionCookie.clear(reply)
      const ended = secret === undefined ? undefined : await sessions.signOut(secret)
      if (ended) await recordAction(audit, request, 'session/ended sign-out', { user_id: ended.userId })
      return {}
    }
  })
}
