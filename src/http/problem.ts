/** Errors as problem documents (RFC 9457). A refusal shows its own message, an unexpected error only its request id. */
import { STATUS_CODES } from 'node:http'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Fault, Refusal, StaleRefusal } from '../lib/errors.js'

export interface Problem {
  type: 'about:blank'
  title: string
  status: number
  detail: string
  request_id: string
  /** The record as it is now, where it was changed since it was read. */
  current?: object
}

const FAULTS: Readonly<Record<string, number>> = {
  invalid_request: 400, unauthorized: 401, forbidden: 403, foreign_origin: 403, rate_limited: 429, unavailable: 503
}
const REFUSED = { invalid: 422, not_found: 404, conflict: 409, stale: 412, unread: 428 } as const

/** The problem document of an error. One with an HTTP `statusCode` keeps it; what is unknown is 500. */
export function problem (error: unknown, requestId: string): Problem {
  const status = statusOf(error)
  const detail = error instanceof Error && status < 500
    ? [error.message, ...error instanceof Fault && error.kind === 'forbidden' ? [error.data?.['hint']] : []].join(' ')
    : `Internal error. The log of the server has the cause under request ${requestId}.`
  const title = STATUS_CODES[status] ?? 'Error'
  const current = error instanceof StaleRefusal ? error.current : undefined
  return { type: 'about:blank', title, status, detail, request_id: requestId, current }
}

function statusOf (error: unknown): number {
  if (error instanceof Refusal) return REFUSED[error.reason]
  if (error instanceof Fault && FAULTS[error.kind]) return FAULTS[error.kind] ?? 500
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' && status >= 400 && status < 600 ? status : 500
}

/** Fastify's error handler. Errors of 500 and above are logged; 429 and 503 have `Retry-After`. */
export function answerProblem (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = problem(error, request.id)
  if (answer.status >= 500) request.log.error({ err: error }, 'management request failed')
  const after = error instanceof Fault ? error.data?.['retry_after_seconds'] : undefined
  if (typeof after === 'number') reply.header('retry-after', after)
  else if (answer.status === 503) reply.header('retry-after', 1)
  return reply.code(answer.status).type('application/problem+json').send(answer)
}

export function answerUnknownRoute (request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = problem(new Refusal('There is nothing at this address.', 'not_found'), request.id)
  return reply.code(404).type('application/problem+json').send(answer)
}

/**
 * Fastify's handler for unknown paths beside the web's, under `/.well-known/` too. It advertises no OAuth metadata,
 * because clients that find it drop the bearer credential that they have.
 */
export const notFound = (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.code(404).type('application/json').send({
    error: 'not_found', message: 'There is nothing here. The MCP endpoint is POST /mcp.'
  })
