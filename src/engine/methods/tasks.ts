/** The methods of tasks: SEP-2663, task polling, task update requests, task cancellation. */
import { Fault, requireParams } from '../../lib/errors.js'
import type { Params } from '../jsonrpc/message.js'
import type { RequestContext } from '../request-context.js'
import type { TaskRunner } from '../tasks/task-runner.js'
import { requireTasks, detailed } from '../tasks/task.js'
import type { ServerFeatures, Method } from './method.js'
import { requireStorable } from './guards.js'
import { isObject } from '../../lib/json/json-object.js'

const MAX_LENGTH = 256

const parseTaskId = ({ taskId: id }: Params): string => {
  requireParams(typeof id === 'string' && id !== '' && id.length <= MAX_LENGTH, '"params.taskId" is the id of a task.')
  requireStorable('taskId', id)
  return id
}

/** Call it before any other check. @throws {Fault} `missing_capability` when the client does not declare tasks */
const requireTaskRunner = (context: RequestContext, { tasks }: ServerFeatures): TaskRunner => {
  requireTasks(context)
  if (!tasks) throw unknownTask()
  return tasks
}

/** It is the same for a task that never existed, belongs to another credential, or has expired. */
const unknownTask = (): Fault =>
  new Fault('invalid_params', 'There is no task with this id, or it has expired. Send the request again.')

export const getTask: Method = async (params, context, features) => {
  const task = await requireTaskRunner(context, features).get(parseTaskId(params), context.principal.credential.id)
  if (!task) throw unknownTask()
  return { result: detailed(task) }
}

export const updateTask: Method = async (params, context, features) => {
  const tasks = requireTaskRunner(context, features)
  const { inputResponses } = params
  requireParams(isObject(inputResponses), '"params.inputResponses" maps the keys of inputRequests to results.')
  requireStorable('inputResponses', inputResponses)
  if (!await tasks.answer(parseTaskId(params), context.principal.credential.id, inputResponses)) throw unknownTask()
  return { result: {} }
}

/** Requests the cancellation and returns at once. */
export const cancelTask: Method = async (params, context, features) => {
  const tasks = requireTaskRunner(context, features)
  if (!await tasks.cancel(parseTaskId(params), context.principal.credential.id)) throw unknownTask()
  return { result: {} }
}
