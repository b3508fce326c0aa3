/** Handlers: explorations, their packages and plans, and what an agent sees of them. */
import { createEventLoopYield } from '../../../lib/event-loop-yield.js'
import { Refusal } from '../../../lib/errors.js'
import type { ExplorationDetail } from '../../../planning/store.js'
import { isArtifactType } from '../../../planning/tools/access.js'
import { SERVER } from '../../../server-info.js'
import { createAgentView } from '../agent-view.js'
import { explorationView } from '../exploration-view.js'
import type { Handlers } from '../handler.js'
import { listExplorations } from '../list-explorations.js'
import { markdownTree } from '../markdown-tree.js'
import type { explorationsOperations } from '../operations/explorations.js'
import { planView } from '../plan-view.js'
import type { WebPerson } from '../../permissions.js'
import { requireVisibleIds, visibleWorkspaces } from '../visible-workspaces.js'
import type { WebApiDeps } from '../web-api-deps.js'

const MAX_TAGS = 200

// One sentence for both, so that an id tells nothing to a person who is not a member.
const UNKNOWN = 'There is no exploration with this id, or it is in a workspace that you are not a member of. An ' +
  'admin of the workspace can add you.'

/** The tree of a long text takes a tenth of a second: several that are asked for together are made in turns. */
const yieldToEventLoop = createEventLoopYield(2)

/** Returns the handlers by method and path. */
export const explorationsHandlers = (deps: WebApiDeps): Handlers<typeof explorationsOperations> => {
  const { store, uriScheme, web: { catalog, people } } = deps
  const agentView = createAgentView({ store, uriScheme, server: SERVER })

  const requireExploration = async (person: WebPerson, id: string): Promise<ExplorationDetail> => {
    const exploration = await store.explorations.get(id, visibleWorkspaces(person))
    if (!exploration) throw new Refusal(UNKNOWN, 'not_found')
    return exploration
  }

  return {
    'GET /explorations': ({ query, person, request }) => {
      // Whoever opens the list may search next, and would wait for the thread of search.
      if (query.q === undefined && query.cursor === undefined) deps.prepareSearch?.()
      return listExplorations(deps, person, query, request.signal)
    },

    'GET /tags': async ({ query: { workspace }, person }) => {
      const visible = workspace === undefined
        ? visibleWorkspaces(person)
        : requireVisibleIds(person, [workspace])
      return { tags: await catalog.tags(visible, MAX_TAGS) }
    },

    'GET /explorations/:id': async ({ params: { id }, person }) => {
      const exploration = await requireExploration(person, id)
      const [recommendations, counts] = await Promise.all([
        store.recommendations.approved(exploration.id),
        catalog.itemCounts([exploration.id])
      ])
      const approvers = await people.names(recommendations.flatMap(({ approved_by: by }) => by ?? []))
      await yieldToEventLoop()
      return explorationView(exploration, { recommendations, counts: counts.get(exploration.id), approvers, uriScheme })
    },

    'GET /explorations/:id/packages/:type': async ({ params: { id, type }, person }) => {
      const exploration = await requireExploration(person, id)
      const document = isArtifactType(type) ? await store.packages.get(exploration.id, type) : undefined
      if (!document) throw new Refusal('This exploration has no package of this type.', 'not_found')
      const { markdown, artifact_type: artifactType, version, updated_at: updatedAt } = document
      await yieldToEventLoop()
      const { tree, toc, cut } = markdownTree(markdown)
      return {
        exploration_id: exploration.id,
        exploration_title: exploration.title,
        workspace: exploration.workspace,
        artifact_type: artifactType,
        ...(document.title !== undefined && { title: document.title }),
        version,
        updated_at: updatedAt,
        total_chars: markdown.length,
        markdown,
        tree,
        toc,
        ...(cut && { cut })
      }
    },

    'GET /explorations/:id/plan': async ({ params: { id }, person }) => {
      const exploration = await requireExploration(person, id)
      const plan = await store.plans.get(exploration.id)
      if (!plan) throw new Refusal('This exploration has no plan yet.', 'not_found')
      return { ...planView(plan), title: exploration.title, workspace: exploration.workspace }
    },

    'GET /explorations/:id/agent-view': async ({ params: { id }, person, request }) => {
      const exploration = await requireExploration(person, id)
      return agentView({ person, workspaces: visibleWorkspaces(person), exploration, signal: request.signal })
    }
  }
}
