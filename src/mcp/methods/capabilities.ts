/** The capabilities that the server declares, by revision. */
import type { ListKind } from '../subscriptions.js'
import { supports } from '../revisions.js'
import { TASKS } from '../tasks/task.js'
import type { ServerFeatures } from './method.js'

/** Returns the capabilities for a revision. They list only what the server can do for callers of that revision. */
export const capabilities = (
  revision: string, { prompts, changes, logs, tasks, sessions }: ServerFeatures
): Record<string, unknown> => {
  const remembers = sessions || supports(revision, 'stateless')
  const changing = (list: ListKind) => remembers && changes?.lists.has(list) ? { listChanged: true } : {}
  return {
    tools: changing('tools'),
    resources: { ...(remembers && changes && { subscribe: true }), ...changing('resources') },
    ...(prompts && { prompts: changing('prompts') }),
    ...(remembers && logs && { logging: {} }),
    ...(supports(revision, 'completionsCapability') && { completions: {} }),
    ...(tasks && supports(revision, 'tasksExtension') && { extensions: { [TASKS]: {} } })
  }
}
