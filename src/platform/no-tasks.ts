/** For a front: none of its tools leaves work that goes on after the answer, so there is no task to know of. */
import type { Tasks } from '../db/sql-task-store.js'

export const noTasks = (): Tasks => ({
  create: () => Promise.reject(new Error('a front keeps no tasks')),
  get: async () => undefined,
  answer: async () => false,
  cancel: async () => false,
  attend: async () => undefined,
  async note () {},
  async ask () {},
  async end () {}
})
