/**
 * The operator of the socket as the command line declares them, and the user for whom they ask: the socket itself
 * proves only its owner's user account.
 */
import { unescape } from 'node:querystring'
import type { FastifyRequest } from 'fastify'

export const ACTOR_HEADER = 'exploration-mcp-actor'
/** The user's id or e-mail address, with percent signs. */
export const USER_HEADER = 'exploration-mcp-user'

/** The declared operator, at most 100 characters; undefined without the header. */
export const declaredActor = ({ headers }: FastifyRequest): string | undefined => {
  const actor = headers[ACTOR_HEADER]
  return typeof actor === 'string' && actor !== '' ? actor.slice(0, 100) : undefined
}

/** The user for whom the operator asks, by id or e-mail address; undefined without the header. */
export const userNamed = ({ headers }: FastifyRequest): string | undefined => {
  const user = headers[USER_HEADER]
  return typeof user === 'string' ? unescape(user) : undefined
}
