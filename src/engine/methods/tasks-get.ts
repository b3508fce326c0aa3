/** Returns the state of a task: SEP-2663, task polling. */
import { detailed } from '../tasks/task.js'
import type { Method } from './method.js'
import { parseTaskId, requireTaskRunner, unknownTask } from './task-id.js'

/**
 * Returns the state, with the result, the error or the open requests for input.
 * @throws {Fault} `missing_capability`, or `invalid_params` for an unknown task
 */
export const getTask: Method = async (params, context, features) => {
  const task = await requireTaskRunner(context, features).get(parseTaskId(params), context.principal.credential.id)
  if (!task) throw unknownTask()
  return { result: detailed(task) }
}
