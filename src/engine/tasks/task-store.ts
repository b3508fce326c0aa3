/** The port that stores tasks: what a task is, and what a store must do with it. */
import type { JsonObject } from '../../lib/json/json-object.js'

/** The state of a task; the last three are final. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

/** A task as it is stored. */
export interface TaskRecord {
  id: string
  status: TaskStatus
  message: string | null
  /** RFC 3339. */
  createdAt: string
  updatedAt: string
  /** The lifetime since the creation, in milliseconds. */
  ttlMs: number
  pollIntervalMs: number
  /** The requests for input that have no response yet. */
  inputRequests: JsonObject
  result: JsonObject | null
  error: JsonObject | null
}

/** A task that is to be created. */
export interface NewTask {
  id: string
  /** The id of the credential that owns it. */
  owner: string
  ttlMs: number
  pollIntervalMs: number
  leaseMs: number
}

/** How a task ended. */
export type TaskEnd = {
  status: 'completed', result: JsonObject
} | { status: 'failed', error: JsonObject, message: string } | { status: 'cancelled' }

/** No method waits for the work to end. A task that has ended does not change any more. */
export interface TaskStore {
  /** Resolves with undefined when the owner has `maxRunning` running tasks. */
  create (task: NewTask, maxRunning: number): Promise<TaskRecord | undefined>
  /** Resolves with undefined when the owner has no such task or it has expired. */
  get (id: string, owner: string): Promise<TaskRecord | undefined>
  /** Stores the responses to open requests and ignores others. Resolves with false when there is no such task. */
  answer (id: string, owner: string, responses: JsonObject): Promise<boolean>
  /** Requests the end of the work. Resolves with false when there is no such task. */
  cancel (id: string, owner: string): Promise<boolean>

  /** For the process that works: renews its lease. Returns the new responses, and whether the task was cancelled. */
  renewLease (id: string, leaseMs: number): Promise<{ responses: JsonObject, cancelled: boolean } | undefined>
  note (id: string, message: string): Promise<void>
  ask (id: string, requests: JsonObject): Promise<void>
  end (id: string, end: TaskEnd): Promise<void>
}
