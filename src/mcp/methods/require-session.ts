/** The session of a method that is about it. */
import type { RequestContext, SessionHandle } from '../request-context.js'
import { Fault } from '../../lib/errors.js'

export const requireSession = ({ session }: RequestContext): SessionHandle => {
  if (!session) throw new Fault('session_required', 'This needs a session, and this server keeps none.')
  return session
}
