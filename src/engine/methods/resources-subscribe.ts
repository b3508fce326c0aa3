/** Subscribes a session to the changes of a resource: 2025-11-25 server/resources#subscriptions */
import { requireSession } from './require-session.js'
import type { Method } from './method.js'
import { rejectRefusal } from './refusal.js'
import { requireUri, resourceNotFound } from './resources-read.js'

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
