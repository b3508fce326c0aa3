/** The guard of methods that need a session. */
import type { RequestContext, SessionHandle } from '../request-context.js'
import { Fault } from '../../lib/errors.js'

/**
 * Returns the caller's session.
 * @throws {Fault} `session_required` when the server has no sessions
 */
export const requireSession = ({ session }: RequestContext): SessionHandle => {
  if (!session) throw new Fault('session_required', 'This needs a session, and this server has no sessions.')
  return session
}
