/** Who asks, as the command line declares it: the socket itself only tells that it is the owner's user. */
import type { FastifyRequest } from 'fastify'

export const ACTOR_HEADER = 'exploration-mcp-actor'

export const actorOf = ({ headers }: FastifyRequest): string | undefined => {
  const actor = headers[ACTOR_HEADER]
  return typeof actor === 'string' && actor !== '' ? actor.slice(0, 100) : undefined
}
