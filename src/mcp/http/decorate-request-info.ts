/** Stores what the server learns of a request on Fastify's request object, for metrics, traces and logs. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RequestInfo } from '../request-info.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until something is known. */
    about: RequestInfo | null
  }
}

/** Adds the property to Fastify's requests. Safe to call more than once. */
export const decorateRequestInfo = (app: FastifyInstance): void => {
  if (!app.hasRequestDecorator('about')) app.decorateRequest('about', null)
}

/** Returns the info of a request; creates it on the first call. */
export const requestInfo = (request: FastifyRequest): RequestInfo => (request.about ??= {})
