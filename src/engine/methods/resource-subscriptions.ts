/** A session's subscriptions to resources: 2025-11-25 server/resources#subscriptions */
import { requireSession, rejectRefusal, requireStorable } from './guards.js'
import type { Method } from './method.js'
import { requireUri, resourceNotFound } from './resources-read.js'
import { Fault } from '../../lib/errors.js'

/**
 * Adds the subscription to the session.
 * @throws {Fault} `resource_not_found`, `session_required`, or `invalid_params` when the session has too many
 * subscriptions
 */
export const subscribe: Method = async (params, context, features) => {
  // A caller can subscribe only to what it may read.
  const uri = requireUri(params['uri'])
  const [there] = await features.resources.locate([uri], context).catch(rejectRefusal)
  if (!there) throw resourceNotFound(uri)
  await requireSession(context).subscribe(uri).catch(rejectRefusal)
  return { result: {} }
}

/**
 * Removes the subscription. Succeeds when there is none.
 * @throws {Fault} `invalid_params` or `session_required`
 */
export const unsubscribe: Method = async ({ uri }, context) => {
  if (typeof uri !== 'string') throw new Fault('invalid_params', '"params.uri" is a URI.')
  requireStorable('uri', uri)
  await requireSession(context).unsubscribe(uri)
  return { result: {} }
}
