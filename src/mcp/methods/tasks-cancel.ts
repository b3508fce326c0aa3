/** Asks a task to end; one that has ended already stays as it is: SEP-2663, task cancellation. */
import { requireTasks } from '../tasks/task.js'
import type { Method } from './method.js'
import { taskId, unknownTask } from './task-id.js'

export const cancelTask: Method = async (params, call, { tasks }) => {
  requireTasks(call)
  if (!await tasks!.cancel(taskId(params), call.principal.credential.id)) throw unknownTask()
  return { result: {} }
}
