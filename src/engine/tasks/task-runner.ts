/** Runs handlers as tasks, and answers what clients ask of the tasks of any replica. SEP-2663 */
import { randomBytes } from 'node:crypto'
import { Fault } from '../../lib/errors.js'
import type { EventBus } from '../event-bus.js'
import { TaskExecution, type TaskHandoff } from './task-execution.js'
import type { TaskRecord, TaskStore } from './task-store.js'

/** Runs handlers as tasks, and answers for the tasks of all replicas. */
export interface TaskRunner {
  /** How many tasks this process works on. */
  readonly running: number
  /** Resolves once any server can find the task; throws a `Fault` when the owner has too many under way. */
  submit<Result> (handoff: TaskHandoff<Result>): Promise<TaskRecord>
  get: TaskStore['get']
  answer: TaskStore['answer']
  cancel: TaskStore['cancel']
  /** Each state of a task after the one that is known, until it has ended or the signal fires. */
  watch (known: TaskRecord, owner: string, signal: AbortSignal): AsyncGenerator<TaskRecord, void, unknown>
  /** Ends the work of this process. */
  close (): Promise<void>
}

/** Bounds of tasks. */
export interface TaskRunnerOptions {
  /** How long a task and its result exist after its creation, in milliseconds; an hour by default. */
  ttlMs?: number
  /** How often clients should ask, in milliseconds; 1,000 by default. */
  pollIntervalMs?: number
  /** Tasks that one credential may have under way; 32 by default. */
  maxRunning?: number
}

const LEASE_MS = 30_000
/** Poll interval when no bus signal arrives. */
const POLL_MS = 5000

/** Creates the runner of one process. It looks every 5 s for what the bus did not tell it of its tasks. */
export const createTaskRunner = (
  store: TaskStore, bus: EventBus, { ttlMs = 3_600_000, pollIntervalMs = 1000, maxRunning = 32 }: TaskRunnerOptions = {}
): TaskRunner => {
  const active = new Map<TaskHandoff<never>['cancellation'], Promise<void>>()
  const changed = (id: string): void => bus.publish('task', { id })
  const notifying = async (id: string, finding: Promise<boolean>): Promise<boolean> => {
    const found = await finding
    if (found) changed(id)
    return found
  }

  const onTaskSignal = (id: string, refresh: () => void): () => void => {
    const poll = setInterval(refresh, POLL_MS).unref()
    const unsubscribe = bus.subscribe('task', (signal) => { if (signal.id === id) refresh() })
    return () => {
      clearInterval(poll)
      unsubscribe()
    }
  }

  return {
    get running () { return active.size },

    async submit (handoff) {
      const id = randomBytes(24).toString('base64url')
      const task = { id, owner: handoff.owner, ttlMs, pollIntervalMs, leaseMs: LEASE_MS }
      const created = await store.create(task, maxRunning)
      if (!created) {
        throw new Fault(
          'too_many_tasks',
          `This credential has ${maxRunning} tasks under way, as many as it may. Wait for one to end, or cancel one.`,
          { scope: 'tasks', limit: maxRunning }
        )
      }
      const execution = new TaskExecution(id, handoff, {
        store,
        leaseMs: LEASE_MS,
        changed: () => changed(id),
        onSignal: (refresh) => onTaskSignal(id, refresh)
      })
      const expiry = setTimeout(() => handoff.cancellation.abort(), ttlMs).unref()
      const running = execution.run().catch(() => { /* the lease runs out, and with it the task */ }).then(() => {
        clearTimeout(expiry)
        active.delete(handoff.cancellation)
      })
      active.set(handoff.cancellation, running)
      return created
    },

    get: (id, owner) => store.get(id, owner),

    answer: (id, owner, responses) => notifying(id, store.answer(id, owner, responses)),

    cancel: (id, owner) => notifying(id, store.cancel(id, owner)),

    async * watch (known, owner, signal) {
      const { id } = known
      let hasNews = true
      let wake = (): void => {}
      const refresh = (): void => {
        hasNews = true
        wake()
      }
      const unsubscribe = onTaskSignal(id, refresh)
      signal.addEventListener('abort', refresh, { once: true })
      try {
        let lastState = JSON.stringify(known)
        while (!signal.aborted) {
          if (!hasNews) await new Promise<void>((resolve) => { wake = resolve })
          hasNews = false
          const task = await store.get(id, owner)
          if (!task) return
          const state = JSON.stringify(task)
          if (state !== lastState) yield task
          lastState = state
          if (['completed', 'failed', 'cancelled'].includes(task.status)) return
        }
      } finally {
        unsubscribe()
        signal.removeEventListener('abort', refresh)
      }
    },

    async close () {
      for (const cancellation of active.keys()) cancellation.abort()
      await Promise.all(active.values())
    }
  }
}
