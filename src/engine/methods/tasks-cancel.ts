/** Cancels a task; a task that has ended stays as it is. SEP-2663, task cancellation */
import type { Method } from './method.js'
import { parseTaskId, requireTaskRunner, unknownTask } from './task-id.js'

/**
 * Requests the cancellation and returns at once.
 * @throws {Fault} `missing_capability`, or `invalid_params` for an unknown task
 */
export const cancelTask: Method = async (params, context, features) => {
  const tasks = requireTaskRunner(context, features)
  if (!await tasks.cancel(parseTaskId(params), context.principal.credential.id)) throw unknownTask()
  return { result: {} }
}
