/** Handlers: explorations, their packages and plans, and what an agent sees of them. */
import { Refusal } from '../../lib/errors.js'
import type { ExplorationDetail } from '../../planning/store.js'
import { isArtifactType } from '../../planning/tools/access.js'
import { SERVER } from '../../config/server-info.js'
import { createAgentView } from '../views/agent-view.js'
import type { Handlers } from '../handler.js'
import { listExplorations } from '../views/list-explorations.js'
import type { explorationsOperations } from '../operations/explorations.js'
import { createRecordViews } from '../views/record-views.js'
import type { WebPerson } from '../permission.js'
import { requireVisibleIds, visibleWorkspaces } from '../visible-workspaces.js'
import type { PageDeps } from '../page-deps.js'

const MAX_TAGS = 200

// One sentence for both, so that an id tells nothing to a person who is not a member.
const UNKNOWN = 'There is no exploration with this id, or it is in a workspace that you are not a member of. An ' +
  'admin of the workspace can add you.'

/** Returns the handlers by method and path. */
export const explorationsHandlers = (deps: PageDeps): Handlers<typeof explorationsOperations> => {
  const { store, uriScheme, web: { catalog, people } } = deps
  const makeView = createRecordViews()
  const agentView = createAgentView({ store, uriScheme, server: SERVER })

  const requireExploration = async (person: WebPerson, id: string): Promise<ExplorationDetail> => {
    const exploration = await store.explorations.get(id, visibleWorkspaces(person))
    if (!exploration) throw new Refusal(UNKNOWN, 'not_found')
    return exploration
  }

  return {
    'GET /explorations': ({ query, person, request }) => {
      // Anyone who opens the list may search next, and would wait for the search worker.
      if (query.q === undefined && query.cursor === undefined) deps.prepareSearch?.()
      return listExplorations(deps, person, query, request.signal)
    },

    'GET /tags': async ({ query: { workspace }, person }) => {
      const visible = workspace === undefined
        ? visibleWorkspaces(person)
        : requireVisibleIds(person, [workspace])
      return { tags: await catalog.tags(visible, MAX_TAGS) }
    },

    'GET /explorations/:id': async ({ params: { id }, person, reply }) => {
      const exploration = await requireExploration(person, id)
      const [recommendations, counts] = await Promise.all([
        store.recommendations.approved(exploration.id),
        catalog.itemCounts([exploration.id])
      ])
      const approvers = await people.names(recommendations.flatMap(({ approved_by: by }) => by ?? []))
      const parts = { exploration, recommendations, counts: counts.get(exploration.id), approvers, uriScheme }
      return await makeView({ person, reply }, { name: 'exploration', parts })
    },

    'GET /explorations/:id/packages/:type': async ({ params: { id, type }, person, reply }) => {
      const exploration = await requireExploration(person, id)
      const document = isArtifactType(type) ? await store.packages.get(exploration.id, type) : undefined
      if (!document) throw new Refusal('This exploration has no package of this type.', 'not_found')
      return await makeView({ person, reply }, { name: 'package', parts: { exploration, document } })
    },

    'GET /explorations/:id/plan': async ({ params: { id }, person, reply }) => {
      const exploration = await requireExploration(person, id)
      const plan = await store.plans.get(exploration.id)
      if (!plan) throw new Refusal('This exploration has no plan yet.', 'not_found')
      return await makeView({ person, reply }, { name: 'plan', parts: { exploration, plan } })
    },

    'GET /explorations/:id/agent-view': async ({ params: { id }, person, request }) => {
      const exploration = await requireExploration(person, id)
      return agentView({ person, workspaces: visibleWorkspaces(person), exploration, signal: request.signal })
    }
  }
}
