/** The capabilities that the server declares, by revision and client. */
import type { RequestContext } from '../request-context.js'
import type { ListKind } from '../subscriptions.js'
import { supports } from '../revisions.js'
import { TASKS } from '../tasks/task.js'
import { acceptsViews, VIEWS } from '../views/view.js'
import { offers, type ServerFeatures } from './method.js'

/** Whether the server has views that the client shows. */
export const sharesViews = (
  { tools, resources }: ServerFeatures, { client }: Pick<RequestContext, 'client'>
): boolean =>
  (tools.hasViews || resources.hasViews) && acceptsViews(client.capabilities)

/**
 * Returns the capabilities for a revision. They list only what the server can do for callers of that revision. `views`:
 * for a client that shows the server's views.
 */
export const capabilities = (
  revision: string, features: ServerFeatures, views: boolean
): Record<string, unknown> => {
  const { changes, sessions } = features
  const remembers = sessions || supports(revision, 'stateless')
  const changing = (list: ListKind) => remembers && changes?.lists.has(list) ? { listChanged: true } : {}
  const extensions = {
    ...(offers(features, 'tasks') && supports(revision, 'tasksExtension') && { [TASKS]: {} }),
    ...(views && { [VIEWS]: {} })
  }
  return {
    ...(offers(features, 'tools') && { tools: changing('tools') }),
    ...(offers(features, 'resources') && {
      resources: { ...(remembers && changes && { subscribe: true }), ...changing('resources') }
    }),
    ...(offers(features, 'prompts') && { prompts: changing('prompts') }),
    ...(remembers && offers(features, 'logs') && { logging: {} }),
    ...(offers(features, 'completions') && supports(revision, 'completionsCapability') && { completions: {} }),
    ...(Object.keys(extensions).length > 0 && { extensions })
  }
}
