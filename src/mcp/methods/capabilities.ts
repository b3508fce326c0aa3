/** The capabilities that the server declares, by revision. */
import type { ListKind } from '../subscriptions.js'
import { supports } from '../revisions.js'
import { TASKS } from '../tasks/task.js'
import { offers, type ServerFeatures } from './method.js'

/** Returns the capabilities for a revision. They list only what the server can do for callers of that revision. */
export const capabilities = (
  revision: string, features: ServerFeatures
): Record<string, unknown> => {
  const { changes, sessions } = features
  const remembers = sessions || supports(revision, 'stateless')
  const changing = (list: ListKind) => remembers && changes?.lists.has(list) ? { listChanged: true } : {}
  return {
    ...(offers(features, 'tools') && { tools: changing('tools') }),
    ...(offers(features, 'resources') && {
      resources: { ...(remembers && changes && { subscribe: true }), ...changing('resources') }
    }),
    ...(offers(features, 'prompts') && { prompts: changing('prompts') }),
    ...(remembers && offers(features, 'logs') && { logging: {} }),
    ...(offers(features, 'completions') && supports(revision, 'completionsCapability') && { completions: {} }),
    ...(offers(features, 'tasks') && supports(revision, 'tasksExtension') && { extensions: { [TASKS]: {} } })
  }
}
