/** Asks a task to end; one that has ended already stays as it is: SEP-2663, task cancellation. */
import { requireTasks } from '../tasks/task.js'
import type { Method } from './method.js'
import { parseTaskId, unknownTask } from './task-id.js'

export const cancelTask: Method = async (params, context, { tasks }) => {
  requireTasks(context)
  if (!await tasks!.cancel(parseTaskId(params), context.principal.credential.id)) throw unknownTask()
  return { result: {} }
}
