/** Ends a session's subscription to a resource: 2025-11-25 server/resources#subscriptions */
import { Fault } from '../../lib/errors.js'
import { requireSession } from './require-session.js'
import type { Method } from './method.js'
import { requireStorable } from './storable-text.js'

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
