/** How a task stands: SEP-2663, task polling. */
import { requireTasks, detailed } from '../tasks/task.js'
import type { Method } from './method.js'
import { taskId, unknownTask } from './task-id.js'

export const getTask: Method = async (params, call, { tasks }) => {
  requireTasks(call)
  const task = await tasks!.get(taskId(params), call.principal.credential.id)
  if (!task) throw unknownTask()
  return { result: detailed(task) }
}
