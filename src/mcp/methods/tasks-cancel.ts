/** Cancels a task; a task that has ended stays as it is. SEP-2663, task cancellation */
import { requireTasks } from '../tasks/task.js'
import type { Method } from './method.js'
import { parseTaskId, unknownTask } from './task-id.js'

/**
 * Requests the cancellation and returns at once.
 * @throws {Fault} `missing_capability`, or `invalid_params` for an unknown task
 */
export const cancelTask: Method = async (params, context, { tasks }) => {
  requireTasks(context)
  if (!await tasks!.cancel(parseTaskId(params), context.principal.credential.id)) throw unknownTask()
  return { result: {} }
}
