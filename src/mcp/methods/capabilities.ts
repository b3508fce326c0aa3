/** What the server declares that it can do, by revision. */
import type { List } from '../subscriptions.js'
import { has } from '../revisions.js'
import { TASKS } from '../tasks/task.js'
import type { Catalogue } from './method.js'

export const capabilities = (revision: string, { prompts, changes, logs, tasks, sessions }: Catalogue): Record<string, unknown> => {
  const remembers = sessions || has(revision, 'stateless')
  const changing = (list: List) => remembers && changes?.lists.has(list) ? { listChanged: true } : {}
  return {
    tools: changing('tools'),
    resources: { ...(remembers && changes && { subscribe: true }), ...changing('resources') },
    ...(prompts && { prompts: changing('prompts') }),
    ...(remembers && logs && { logging: {} }),
    ...(has(revision, 'completionsCapability') && { completions: {} }),
    ...(tasks && has(revision, 'tasksExtension') && { extensions: { [TASKS]: {} } })
  }
}
