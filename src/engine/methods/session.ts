/**
 * The methods of a session: 2025-11-25 basic/utilities/ping, server/utilities/logging#setting-log-level,
 * server/resources#subscriptions
 */
import { Fault, requireParams } from '../../lib/errors.js'
import { isLogLevel, LOG_LEVELS } from '../log-level.js'
import type { RequestContext, SessionHandle } from '../request-context.js'
import { rejectRefusal, requireStorable } from './guards.js'
import type { Method, MethodResult } from './method.js'
import { requireUri, resourceNotFound } from './resources.js'

const PONG: MethodResult = { result: {}, constant: true }

export const ping: Method = async () => PONG

const requireSession = ({ session }: RequestContext): SessionHandle => {
  if (!session) throw new Fault('session_required', 'This needs a session, and this server has no sessions.')
  return session
}

export const setLogLevel: Method = async ({ level }, context) => {
  requireParams(isLogLevel(level), `"params.level" is one of ${LOG_LEVELS.join(', ')}.`)
  await requireSession(context).setLogLevel(level)
  return { result: {} }
}

export const subscribe: Method = async (params, context, features) => {
  // A caller can subscribe only to what it may read.
  const uri = requireUri(params['uri'])
  const [there] = await features.resources.locate([uri], context).catch(rejectRefusal)
  if (!there) throw resourceNotFound(uri)
  await requireSession(context).subscribe(uri).catch(rejectRefusal)
  return { result: {} }
}

/** Succeeds when there is none. */
export const unsubscribe: Method = async ({ uri }, context) => {
  requireParams(typeof uri === 'string', '"params.uri" is a URI.')
  requireStorable('uri', uri)
  await requireSession(context).unsubscribe(uri)
  return { result: {} }
}
