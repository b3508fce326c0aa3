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

const REFUSED = { invalid: 422, not_found: 404, conflict: 409, stale: 412, unread: 428 } as const

/**
 * The problem document of an error. Refusals map to 422, 404, 409, 412 or 428; an error with an HTTP `statusCode`
 * keeps it; all others are 500.
 */
export function problem (error: unknown, requestId: string): Problem {
  const status = statusOf(error)
  const detail = error instanceof Error && status < 500
    ? [error.message, ...error instanceof Fault && error.kind === 'forbidden' ? [error.data?.['hint']] : []].join(' ')
    : `Internal error. The log of the server has the cause under request ${requestId}.`
  const title = STATUS_CODES[status] ?? 'Error'
  const current = error instanceof StaleRefusal ? { current: error.current } : {}
  return { type: 'about:blank', title, status, detail, request_id: requestId, ...current }
}

function statusOf (error: unknown): number {
  if (error instanceof Refusal) return REFUSED[error.reason]
  if (error instanceof Fault && error.kind === 'unavailable') return 503
  if (error instanceof Fault && error.kind === 'foreign_origin') return 403
  if (error instanceof Fault && error.kind === 'invalid_request') return 400
  if (error instanceof Fault && error.kind === 'unauthorized') return 401
  if (error instanceof Fault && error.kind === 'forbidden') return 403
  if (error instanceof Fault && error.kind === 'rate_limited') return 429
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' && status >= 400 && status < 600 ? status : 500
}

/**
 * Fastify's error handler: sends the problem, logs errors of 500 and above, and sets `Retry-After` on 429 and 503.
 */
export function answerProblem (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = problem(error, request.id)
  if (answer.status >= 500) request.log.error({ err: error }, 'management request failed')
  const after = error instanceof Fault ? error.data?.['retry_after_seconds'] : undefined
  if (typeof after === 'number') reply.header('retry-after', after)
  else if (answer.status === 503) reply.header('retry-after', 1)
  return reply.code(answer.status).type('application/problem+json').send(answer)
}

/** Fastify's handler for unknown paths: a problem with 404. */
export function answerUnknownRoute (request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = problem(new Refusal('There is nothing at this address.', 'not_found'), request.id)
  return reply.code(404).type('application/problem+json').send(answer)
}
