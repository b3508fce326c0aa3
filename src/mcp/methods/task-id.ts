/** Reads the task id of a request. */
import { Fault } from '../../lib/errors.js'
import type { Params } from '../jsonrpc/message.js'
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
 * The fault for an unknown task. It is the same for a task that never existed, belongs to another credential, or
 * has expired.
 */
export const unknownTask = (): Fault =>
  new Fault('invalid_params', 'There is no task with this id, or it has expired. Send the request again.')
