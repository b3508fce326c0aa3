/** What endpoints of OAuth have in common: parameters that come as a form, and errors of RFC 6749 section 5.2. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '../lib/errors.js'

export class OAuthError extends Error {
  constructor (readonly code: string, message: string, readonly status = 400) { super(message) }
}

/** Refuses whoever has to wait. */
export const slowDown = (seconds: number | undefined): void => {
  if (seconds !== undefined) throw new OAuthError('slow_down', `Too many requests from this address. Try again in ${seconds} seconds.`, 429)
}

export const readForms = (app: FastifyInstance): void => {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(
      null, new URLSearchParams(String(body))
    )
  })
}

/** A form, as the standard has it, or a JSON object. RFC 6749 section 3.2: a parameter without a value is absent, and none comes twice. */
export const parametersOf = (body: unknown) => (name: string): string | undefined => {
  const values = body instanceof URLSearchParams
    ? body.getAll(name)
    : typeof body === 'object' && body !== null && Object.hasOwn(body, name) ? [(body as Record<string, unknown>)[name]] : []
  const [value] = values
  if (value === undefined || (typeof value === 'string' && value.trim() === '')) return undefined
  // eslint-disable-next-line no-control-regex
  if (values.length > 1 || typeof value !== 'string' || value.length > 200 || /[\u0000-\u001f\u007f]|\p{Surrogate}/u.test(value)) {
    throw new OAuthError('invalid_request', `${name} is one text of at most 200 characters.`)
  }
  return value
}

/** The error handler. */
export const oauthProblem = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const { status, ...body } = problemOf(error, (unexpected) => request.log.error({ err: unexpected, ...request.about?.trace }, 'unexpected error'))
  if (status === 503) reply.header('retry-after', 1)
  return reply.code(status).type('application/json').send(body)
}

const problemOf = (
  error: unknown, unexpected: (error: unknown) => void
): { status: number, error: string, error_description: string } => {
  if (error instanceof OAuthError) return { status: error.status, error: error.code, error_description: error.message }
  if (error instanceof Fault && error.kind === 'unavailable') {
    unexpected(error)
    return { status: 503, error: 'temporarily_unavailable', error_description: error.message }
  }
  if (error instanceof Fault && error.kind === 'invalid_request') {
    return {
      status: 400, error: 'invalid_request', error_description: error.message
    }
  }
  if (error instanceof Fault) return { status: 403, error: 'access_denied', error_description: error.message }
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return {
      status: status === 413 ? 413 : 400,
      error: 'invalid_request',
      error_description: 'Send the parameters as application/x-www-form-urlencoded.'
    }
  }
  unexpected(error)
  return {
    status: 500, error: 'server_error', error_description: 'Something went wrong on the server; its log has the cause.'
  }
}
