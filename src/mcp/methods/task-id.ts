/** The task that a request is about. */
import { Fault } from '../../lib/errors.js'
import type { Params } from '../jsonrpc/message.js'
import { requireStorable } from './storable-text.js'

const MAX_LENGTH = 256

export const parseTaskId = ({ taskId: id }: Params): string => {
  if (typeof id !== 'string' || id === '' || id.length > MAX_LENGTH) throw new Fault('invalid_params', '"params.taskId" is the id of a task.')
  requireStorable('taskId', id)
  return id
}

/** The same for one that never was, one of somebody else, and one whose time is over. */
export const unknownTask = (): Fault =>
  new Fault('invalid_params', 'There is no task of this id, or its time is over. Send the request again.')
