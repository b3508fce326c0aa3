/** The acting user, as the command line declares it: the socket itself proves only the owner's user account. */
import type { FastifyRequest } from 'fastify'

export const ACTOR_HEADER = 'exploration-mcp-actor'

/** The declared actor, at most 100 characters; undefined without the header. */
export const actorOf = ({ headers }: FastifyRequest): string | undefined => {
  const actor = headers[ACTOR_HEADER]
  return typeof actor === 'string' && actor !== '' ? actor.slice(0, 100) : undefined
}
