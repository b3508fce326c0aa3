/** Shared parts of the OAuth endpoints: form parameters, and errors of RFC 6749 section 5.2. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Fault, type FaultKind } from '../../lib/errors.js'

/** An error reply of RFC 6749: `code` becomes `error`, the message `error_description`. */
export class OAuthError extends Error {
  constructor (readonly code: string, message: string, readonly status = 400) { super(message) }
}

export const readForms = (app: FastifyInstance): void => {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, new URLSearchParams(String(body)))
  })
}

// eslint-disable-next-line no-control-regex -- it rejects control characters
const UNPRINTABLE = /[\u0000-\u001f\u007f]|\p{Surrogate}/u

const valuesOf = (body: unknown, name: string): unknown[] => {
  if (body instanceof URLSearchParams) return body.getAll(name)
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([key, value]) => key === name ? [value] : [])
}

/**
 * Returns a reader of the parameters of a form or a JSON object. RFC 6749 section 3.2: an empty parameter counts as
 * absent, and none may be repeated.
 * @returns the parameter, or undefined when it is absent; the reader throws an `OAuthError` `invalid_request` for a
 * repeated parameter or one that is not a text of at most `maxLength` characters without control characters
 */
export const parametersOf = (body: unknown, maxLength = 200) => (name: string): string | undefined => {
  const values = valuesOf(body, name)
  const [value] = values
  if (value === undefined || (typeof value === 'string' && value.trim() === '')) return undefined
  if (values.length > 1 || typeof value !== 'string' || value.length > maxLength || UNPRINTABLE.test(value)) {
    throw new OAuthError('invalid_request', `${name} is one text of at most ${maxLength} characters.`)
  }
  return value
}

/** Fastify's error handler of the OAuth endpoints. Logs unexpected errors; the client sees only `server_error`. */
export const oauthProblem = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const { status, ...body } = problemOf(error, (unexpected) => {
    request.log.error({ err: unexpected, ...request.about?.trace }, 'unexpected error')
  })
  if (status === 503) reply.header('retry-after', 1)
  return reply.code(status).type('application/json').send(body)
}

const OF_FAULTS: Partial<Record<FaultKind, readonly [status: number, code: string]>> = {
  unavailable: [503, 'temporarily_unavailable'], invalid_request: [400, 'invalid_request']
}

const problemOf = (
  error: unknown, unexpected: (error: unknown) => void
): { status: number, error: string, error_description: string } => {
  if (error instanceof OAuthError) return { status: error.status, error: error.code, error_description: error.message }
  if (error instanceof Fault) {
    const { kind, message } = error
    if (kind === 'unavailable') unexpected(error)
    const [status, code] = OF_FAULTS[kind] ?? [403, 'access_denied']
    return { status, error: code, error_description: message }
  }
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
    status: 500, error: 'server_error', error_description: 'Internal error. The log of the server has the cause.'
  }
}
