/** 2025-11-25 server/resources#subscriptions */
import { Fault, Refusal } from '../../lib/errors.js'
import { requireSession } from './require-session.js'
import type { Method } from './method.js'
import { requireUri, resourceNotFound } from './resources-read.js'

export const subscribe: Method = async (params, context, features) => {
  // Only what the caller may read can be watched.
  const uri = requireUri(params['uri'])
  const [there] = await features.resources.locate([uri], context)
  if (!there) throw resourceNotFound(uri)
  await requireSession(context).subscribe(uri).catch((error: unknown) => {
    throw error instanceof Refusal ? new Fault('invalid_params', error.message) : error
  })
  return { result: {} }
}
