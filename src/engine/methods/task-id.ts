/** Reads the task id of a request. */
import { Fault } from '../../lib/errors.js'
import type { Params } from '../jsonrpc/message.js'
import type { RequestContext } from '../request-context.js'
import type { TaskRunner } from '../tasks/task-runner.js'
import { requireTasks } from '../tasks/task.js'
import type { ServerFeatures } from './method.js'
import { requireStorable } from './storable-text.js'

const MAX_LENGTH = 256

/**
 * Returns `params.taskId`.
 * @throws {Fault} `invalid_params` when it is not a storable string of 1 to 256 characters
 */
export const parseTaskId = ({ taskId: id }: Params): string => {
  if (typeof id !== 'string' || id === '' || id.length > MAX_LENGTH) {
    throw new Fault('invalid_params', '"params.taskId" is the id of a task.')
  }
  requireStorable('taskId', id)
  return id
}

/**
 * Returns what runs the tasks of this server. Call it before any other check.
 * @throws {Fault} `missing_capability` when the client does not declare the extension
 */
export const requireTaskRunner = (context: RequestContext, { tasks }: ServerFeatures): TaskRunner => {
  requireTasks(context)
  if (!tasks) throw unknownTask()
  return tasks
}

/**
 * The fault for an unknown task. It is the same for a task that never existed, belongs to another credential, or
 * has expired.
 */
export const unknownTask = (): Fault =>
  new Fault('invalid_params', 'There is no task with this id, or it has expired. Send the request again.')
