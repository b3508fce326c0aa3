/** The authenticated principal of a request to the endpoint. */
import type { FastifyRequest } from 'fastify'
import { Fault } from '../../lib/errors.js'
import type { Principal } from '../../lib/principal.js'

/**
 * Returns the principal that authentication found.
 * @throws {Fault} `unauthorized` with the reason and the hint when there is none
 */
export const requirePrincipal = ({ about }: FastifyRequest): Principal => {
  const caller = about?.caller ?? { reason: 'missing', hint: 'The request was not authenticated.' }
  if ('principal' in caller) return caller.principal
  throw new Fault('unauthorized', 'This server needs a valid credential.', { reason: caller.reason, hint: caller.hint })
}
