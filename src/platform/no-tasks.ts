/** For a front: none of its tools leaves work that goes on after the answer, so there is no task to know of. */
import type { TaskStore } from '../mcp/tasks/task-store.js'

export const noTasks = (): TaskStore => ({
  create: () => Promise.reject(new Error('a front keeps no tasks')),
  get: async () => undefined,
  answer: async () => false,
  cancel: async () => false,
  renewLease: async () => undefined,
  async note () {},
  async ask () {},
  async end () {}
})
