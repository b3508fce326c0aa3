/** The session of a method that is about it. */
import type { Call, CallSession } from '../request-context.js'
import { Fault } from '../../lib/errors.js'

export const sessionOf = ({ session }: Call): CallSession => {
  if (!session) throw new Fault('session_required', 'This needs a session, and this server keeps none.')
  return session
}
