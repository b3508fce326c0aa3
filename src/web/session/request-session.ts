/** Reads who is signed in, afresh for each request, so that the end of a session or of a right works at once. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WebSession } from '../../access/sign-in/web-sessions.js'
import type { Config } from '../../config/config.js'
import { publicPathOf } from '../../http/public-path.js'
import { pagesUrlOf } from '../../http/server-address.js'
import { Fault } from '../../lib/errors.js'
import type { WebDeps } from '../web-deps.js'

const LIFETIME_SECONDS = 30 * 86_400

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in; null for no one. Set on the routes of the web application. */
    web: WebSession | null
  }
  interface FastifyInstance {
    sessionCookie: ReturnType<typeof createSessionCookie>
  }
  interface FastifyContextConfig {
    /** False: the route reads no session, and `request.web` is null. */
    session?: boolean
  }
}

/** Adds `request.web` and `app.sessionCookie` to a scope. A cookie that no longer works is removed from the browser. */
export const readSessions = (app: FastifyInstance, { config, ports: { sessions } }: WebDeps): void => {
  const sessionCookie = createSessionCookie(app, config)
  app.decorate('sessionCookie', sessionCookie)
  app.decorateRequest('web', null)
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.session === false) return
    const secret = sessionCookie.read(request)
    if (secret === undefined) return
    request.web = await sessions.find(secret) ?? null
    if (request.web === null) sessionCookie.clear(reply)
  })
}

/** @throws {Fault} `unauthorized` (401) for no one */
export const requireSession = ({ web }: FastifyRequest): WebSession => {
  if (web) return web
  throw new Fault('unauthorized', 'Sign in to do this.')
}

/**
 * Under https the cookie's name has the prefix `__Host-`, so that no other host of the domain can set it. That prefix
 * allows no path: a server below a path of PUBLIC_URL has `__Secure-` and its path, so that the cookie is not sent to
 * what else the host has. Browsers share cookies between the ports of a host, so that under plain http the name has the
 * port.
 */
const createSessionCookie = (app: FastifyInstance, config: Config) => {
  const basePath = publicPathOf(config)
  const nameAndSecure = (): { name: string, secure: boolean } => {
    const { protocol, port } = new URL(pagesUrlOf(app, config))
    return protocol === 'https:'
      ? { name: `${basePath === '' ? '__Host' : '__Secure'}-exploration_session`, secure: true }
      : { name: `exploration_session_${port || '80'}`, secure: false }
  }
  const attributes = { path: basePath === '' ? '/' : basePath, httpOnly: true, sameSite: 'lax' as const }

  return {
    /** The value that the browser sent, unverified. */
    read: ({ cookies }: FastifyRequest) => cookies[nameAndSecure().name],
    write (reply: FastifyReply, secret: string) {
      const { name, secure } = nameAndSecure()
      reply.setCookie(name, secret, { ...attributes, secure, maxAge: LIFETIME_SECONDS })
    },
    clear (reply: FastifyReply) {
      const { name, secure } = nameAndSecure()
      reply.clearCookie(name, { ...attributes, secure })
    }
  }
}
