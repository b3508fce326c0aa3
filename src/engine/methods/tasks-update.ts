/** Passes responses to a task's requests for input; other responses are ignored. SEP-2663, task update requests */
import { Fault } from '../../lib/errors.js'
import { isObject } from '../../lib/json/json-object.js'
import type { Method } from './method.js'
import { requireStorable } from './storable-text.js'
import { parseTaskId, requireTaskRunner, unknownTask } from './task-id.js'

/**
 * Stores the responses for the task.
 * @throws {Fault} `missing_capability`, or `invalid_params` for malformed responses or an unknown task
 */
export const updateTask: Method = async (params, context, features) => {
  const tasks = requireTaskRunner(context, features)
  const { inputResponses } = params
  if (!isObject(inputResponses)) {
    throw new Fault('invalid_params', '"params.inputResponses" maps the keys of inputRequests to results.')
  }
  requireStorable('inputResponses', inputResponses)
  if (!await tasks.answer(parseTaskId(params), context.principal.credential.id, inputResponses)) throw unknownTask()
  return { result: {} }
}
