/** Tasks in memory: the same promises as on a database, for rooms that are tested without one. */
import type { TaskRecord, TaskStore } from '../../src/mcp/tasks/task-store.js'

interface Held extends TaskRecord { owner: string, responses: Record<string, unknown>, cancelled: boolean, leasedUntil: number }

export const memoryTasks = (now: () => number = Date.now): TaskStore => {
  const held = new Map<string, Held>()
  const alive = (id: string): Held | undefined => {
    const task = held.get(id)
    return task && Date.parse(task.createdAt) + task.ttlMs > now() ? task : undefined
  }
  const owned = (id: string, owner: string): Held | undefined => {
    const task = alive(id)
    return task?.owner === owner ? task : undefined
  }
  const underWay = ({ status }: Held): boolean => status === 'working' || status === 'input_required'
  const change = (id: string, facts: Partial<Held>): void => {
    const task = held.get(id)
    if (task && underWay(task)) Object.assign(task, facts, { updatedAt: new Date(now()).toISOString() })
  }
  const record = ({ owner, responses, cancelled, leasedUntil, ...task }: Held): TaskRecord => structuredClone(task)

  return {
    async create ({ id, owner, ttlMs, pollIntervalMs, leaseMs }, most) {
      if ([...held.values()].filter((task) => task.owner === owner && underWay(task)).length >= most) return undefined
      const at = new Date(now()).toISOString()
      const task: Held = {
        id,
        owner,
        status: 'working',
        message: null,
        createdAt: at,
        updatedAt: at,
        ttlMs,
        pollIntervalMs,
        inputRequests: {},
        result: null,
        error: null,
        responses: {},
        cancelled: false,
        leasedUntil: now() + leaseMs
      }
      held.set(id, task)
      return record(task)
    },
    async get (id, owner) {
      const task = owned(id, owner)
      if (task && task.leasedUntil < now()) {
        change(id, {
          status: 'failed',
          message: 'The server that worked on it has gone.',
          error: { code: -32603, message: 'The server has gone.' }
        })
      }
      return task && record(task)
    },
    async answer (id, owner, responses) {
      const task = owned(id, owner)
      if (!task) return false
      const taken = Object.entries(responses).filter(([key]) => task.status === 'input_required' && Object.hasOwn(task.inputRequests, key))
      if (taken.length === 0) return true
      const left = Object.fromEntries(Object.entries(task.inputRequests).filter(([key]) => !Object.hasOwn(responses, key)))
      change(id, {
        responses: { ...task.responses, ...Object.fromEntries(taken) },
        inputRequests: left,
        status: Object.keys(left).length === 0 ? 'working' : 'input_required'
      })
      return true
    },
    async cancel (id, owner) {
      const task = owned(id, owner)
      if (task) task.cancelled = true
      return task !== undefined
    },
    async renewLease (id, leaseMs) {
      const task = alive(id)
      if (!task || !underWay(task)) return undefined
      task.leasedUntil = now() + leaseMs
      return { responses: structuredClone(task.responses), cancelled: task.cancelled }
    },
    async note (id, message) { change(id, { message }) },
    async ask (id, requests) { change(id, { status: 'input_required', inputRequests: requests }) },
    async end (id, end) { change(id, { message: null, inputRequests: {}, ...end }) }
  }
}
