/** A task in the form of the wire: SEP-2663. */
import type { RequestContext } from '../request-context.js'
import { Fault } from '../../lib/errors.js'
import { declaredExtension } from '../client-info.js'
import type { TaskRecord } from './task-store.js'

export const TASKS = 'io.modelcontextprotocol/tasks'

export const declaresTasks = (capabilities: Readonly<Record<string, unknown>>): boolean =>
  declaredExtension(capabilities, TASKS) !== undefined

/** Call it before any other check. @throws {Fault} `missing_capability` */
export const requireTasks = ({ client }: Pick<RequestContext, 'client'>): void => {
  if (declaresTasks(client.capabilities)) return
  throw new Fault(
    'missing_capability',
    `This needs a client that declares the extension ${TASKS}.`,
    { requiredCapabilities: { extensions: { [TASKS]: {} } } }
  )
}

/** Returns a task as the `CreateTaskResult` has it, without its result. */
export const created = (
  { id, status, message, createdAt, updatedAt, ttlMs, pollIntervalMs }: TaskRecord
): Record<string, unknown> => ({
  taskId: id,
  status,
  ...(message !== null && { statusMessage: message }),
  createdAt,
  lastUpdatedAt: updatedAt,
  ttlMs,
  pollIntervalMs
})

export const detailed = (task: TaskRecord): Record<string, unknown> => ({
  ...created(task),
  ...(task.status === 'input_required' && { inputRequests: task.inputRequests }),
  ...(task.status === 'completed' && { result: task.result }),
  ...(task.status === 'failed' && { error: task.error })
})
