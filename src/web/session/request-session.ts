/** Reads who is signed in, afresh for each request, so that the end of a session or of a right works at once. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSession } from '../../access/sign-in/web-sessions.js'
import { Fault } from '../../lib/errors.js'
import type { WebDeps } from '../web-deps.js'
import { createSessionCookie, type SessionCookie } from './session-cookie.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in; null for no one. Set on the routes of the web application. */
    web: WebSession | null
  }
  interface FastifyInstance {
    sessionCookie: SessionCookie
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

/**
 * Returns who is signed in.
 * @throws {Fault} `unauthorized` (401) for no one
 */
export const requireSession = ({ web }: FastifyRequest): WebSession => {
  if (web) return web
  throw new Fault('unauthorized', 'Sign in to do this.')
}
