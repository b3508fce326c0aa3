/** Who is signed in, and signing out. */
import type { FastifyInstance } from 'fastify'
import { endpointOf, pagesUrlOf } from '../../http/server-address.js'
import { SERVER } from '../../config/server-info.js'
import { signInOperations } from '../../administration/operations/sign-in.js'
import { routeOf } from '../../administration/operation-routes.js'
import { recordAction } from '../record-action.js'
import type { OidcClient } from '../sign-in/oidc-client.js'
import type { WebDeps } from '../web-deps.js'
import { SIGN_IN_PATH } from '../page-paths.js'
import { accessWords } from './access-words.js'
import { ownOrigin } from './request-guard.js'
import { requireSession } from './request-session.js'

/** Registers `GET /session` and signing out. */
export const sessionRoutes = (
  app: FastifyInstance,
  { config, ports: { sessions, passkeys, audit } }: WebDeps,
  oidc: Pick<OidcClient, 'signOutUrl'> | undefined
): void => {
  const access = accessWords(config)
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
          name: SERVER.name,
          version: SERVER.version,
          endpoint: endpointOf(app, config) ?? `${pages}/mcp`,
          public_url: pages
        },
        preferences: { theme, time_zone: timeZone },
        access
      }
    }
  })

  // Signing out works without a session too: the browser then has none afterwards, as it asked.
  app.route({
    ...routeOf(signInOperations, 'DELETE /session'),
    handler: async (request, reply) => {
      const secret = app.sessionCookie.read(request)
      app.sessionCookie.clear(reply)
      const endedSession = secret === undefined ? undefined : await sessions.signOut(secret)
      if (endedSession) await recordAction(audit, request, 'session/ended sign-out', { user_id: endedSession.userId })
      if (endedSession?.idToken === undefined || !oidc) return {}
      const base = config.publicUrl ?? ownOrigin(request, undefined)
      // The session here is over in any case, also when the provider does not answer.
      const url = await oidc.signOutUrl(endedSession.idToken, `${base}${SIGN_IN_PATH}`).catch((error: unknown) => {
        request.log.warn({ err: error }, 'the provider was not asked for its sign-out')
        return undefined
      })
      return url ? { redirect_to: url.href } : {}
    }
  })
}
