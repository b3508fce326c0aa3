/** Tasks in the memory of one process. */
import type { TaskRecord, TaskStore } from './task-store.js'

interface StoredTask extends TaskRecord {
  owner: string
  responses: Record<string, unknown>
  cancelled: boolean
  leasedUntil: number
}

/** Creates the store. A task is forgotten when its lifetime is over. `now` is in milliseconds since the epoch. */
export const memoryTaskStore = (now: () => number = Date.now): TaskStore => {
  const tasks = new Map<string, StoredTask>()
  const isAlive = ({ createdAt, ttlMs }: StoredTask): boolean => Date.parse(createdAt) + ttlMs > now()
  const find = (id: string, owner?: string): StoredTask | undefined => {
    const task = tasks.get(id)
    return task && isAlive(task) && (owner ?? task.owner) === task.owner ? task : undefined
  }
  const update = (id: string, change: Partial<StoredTask>): void => {
    const task = tasks.get(id)
    if (task && isRunning(task)) Object.assign(task, change, { updatedAt: new Date(now()).toISOString() })
  }

  return {
    async create ({ leaseMs, ...wanted }, maxRunning) {
      for (const task of [...tasks.values()]) if (!isAlive(task)) tasks.delete(task.id)
      const running = [...tasks.values()].filter((task) => task.owner === wanted.owner && isRunning(task))
      if (running.length >= maxRunning) return undefined
      const at = new Date(now()).toISOString()
      const task: StoredTask = {
        ...wanted,
        status: 'working',
        message: null,
        createdAt: at,
        updatedAt: at,
        inputRequests: {},
        result: null,
        error: null,
        responses: {},
        cancelled: false,
        leasedUntil: now() + leaseMs
      }
      tasks.set(task.id, task)
      return toRecord(task)
    },

    async get (id, owner) {
      const task = find(id, owner)
      if (task && task.leasedUntil < now()) {
        const message = 'The server that worked on it has gone.'
        update(id, { status: 'failed', message, error: { code: -32603, message } })
      }
      return task && toRecord(task)
    },

    async answer (id, owner, responses) {
      const task = find(id, owner)
      if (!task) return false
      // Only a task that asks has open requests.
      const accepted = Object.entries(responses).filter(([key]) => Object.hasOwn(task.inputRequests, key))
      if (accepted.length === 0) return true
      const open = Object.entries(task.inputRequests).filter(([key]) => !Object.hasOwn(responses, key))
      update(id, {
        responses: { ...task.responses, ...Object.fromEntries(accepted) },
        inputRequests: Object.fromEntries(open),
        status: open.length === 0 ? 'working' : 'input_required'
      })
      return true
    },

    async cancel (id, owner) {
      const task = find(id, owner)
      if (task) task.cancelled = true
      return task !== undefined
    },

    async renewLease (id, leaseMs) {
      const task = find(id)
      if (!task || !isRunning(task)) return undefined
      task.leasedUntil = now() + leaseMs
      return { responses: structuredClone(task.responses), cancelled: task.cancelled }
    },

    async note (id, message) { update(id, { message }) },
    async ask (id, requests) { update(id, { status: 'input_required', inputRequests: requests }) },
    async end (id, end) { update(id, { message: null, inputRequests: {}, ...end }) }
  }
}

const isRunning = ({ status }: StoredTask): boolean => status === 'working' || status === 'input_required'

const toRecord = ({ owner, responses, cancelled, leasedUntil, ...task }: StoredTask): TaskRecord =>
  structuredClone(task)
