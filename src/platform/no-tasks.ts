/** A task store for gateways, whose tools never create tasks. */
import type { TaskStore } from '../mcp/tasks/task-store.js'

/** Creates a store without tasks; `create` rejects with an `Error`. */
export const noTasks = (): TaskStore => ({
  create: () => Promise.reject(new Error('a gateway keeps no tasks')),
  get: async () => undefined,
  answer: async () => false,
  cancel: async () => false,
  renewLease: async () => undefined,
  async note () {},
  async ask () {},
  async end () {}
})
