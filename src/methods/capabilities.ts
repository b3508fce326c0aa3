/** What the server declares that it can do, by revision. */
import type { List } from '../changes.js'
import { has } from '../revisions.js'
import { TASKS } from '../tasks/task.js'
import type { Catalogue } from './method.js'

export const capabilities = (revision: string, { prompts, changes, logs, tasks }: Catalogue): Record<string, unknown> => {
  const changing = (list: List) => changes?.lists.has(list) ? { listChanged: true } : {}
  return {
    tools: changing('tools'),
    resources: { ...(changes && { subscribe: true }), ...changing('resources') },
    ...(prompts && { prompts: changing('prompts') }),
    ...(logs && { logging: {} }),
    ...(has(revision, 'completionsCapability') && { completions: {} }),
    ...(tasks && has(revision, 'tasksExtension') && { extensions: { [TASKS]: {} } })
  }
}
