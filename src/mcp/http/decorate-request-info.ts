/** What is learnt of a request on its way, kept beside it for whoever measures it or writes the log. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RequestInfo } from '../request-info.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null while nothing is known. */
    about: RequestInfo | null
  }
}

export const decorateRequestInfo = (app: FastifyInstance): void => {
  if (!app.hasRequestDecorator('about')) app.decorateRequest('about', null)
}

export const requestInfo = (request: FastifyRequest): RequestInfo => (request.about ??= {})
