/** The port that keeps tasks: what a task is, and what a store must be able to do with it. */

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

export type JsonObject = Readonly<Record<string, unknown>>

export interface TaskRecord {
  id: string
  status: TaskStatus
  message: string | null
  /** RFC 3339. */
  createdAt: string
  updatedAt: string
  /** From its creation, in milliseconds. */
  ttlMs: number
  pollIntervalMs: number
  /** What is asked and not answered yet. */
  inputRequests: JsonObject
  result: JsonObject | null
  error: JsonObject | null
}

export interface NewTask {
  id: string
  /** The id of the credential that it belongs to. */
  owner: string
  ttlMs: number
  pollIntervalMs: number
  leaseMs: number
}

export type TaskEnd = {
  status: 'completed', result: JsonObject
} | { status: 'failed', error: JsonObject, message: string } | { status: 'cancelled' }

/** Nothing here waits for work to end; an ended task does not change any more. */
export interface TaskStore {
  /** Undefined when the owner has `most` tasks under way. */
  create (task: NewTask, maxRunning: number): Promise<TaskRecord | undefined>
  /** Undefined when there is no such task of this owner, or its time is over. */
  get (id: string, owner: string): Promise<TaskRecord | undefined>
  /** Takes answers to what is still asked, and leaves out others. False when there is no such task. */
  answer (id: string, owner: string, responses: JsonObject): Promise<boolean>
  /** Asks the work to end. False when there is no such task. */
  cancel (id: string, owner: string): Promise<boolean>

  /** For the process that does the work: what was answered, whether it should end; renews its lease. */
  renewLease (id: string, leaseMs: number): Promise<{ responses: JsonObject, cancelled: boolean } | undefined>
  note (id: string, message: string): Promise<void>
  ask (id: string, requests: JsonObject): Promise<void>
  end (id: string, end: TaskEnd): Promise<void>
}
