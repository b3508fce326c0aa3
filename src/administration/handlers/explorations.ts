/** Handlers: explorations, their packages and plans, and what an agent sees of them. */
import { Refusal } from '../../lib/errors.js'
import type { ExplorationDetail } from '../../planning/store.js'
import { isArtifactType } from '../../planning/records.js'
import { SERVER } from '../../config/server-info.js'
import { createAgentView } from '../views/agent-view.js'
import type { Handlers } from '../handler.js'
import { listExplorations } from '../views/list-explorations.js'
import type { explorationsOperations } from '../operations/explorations.js'
import { createRecordViews } from '../views/record-views.js'
import type { WebPerson } from '../permission.js'
import { isEditor, requireEditor, visibleWorkspaces } from '../visible-workspaces.js'
import type { PageDeps } from '../page-deps.js'

const MAX_TAGS = 200

// One sentence for both, so that an id tells nothing to a person who is not a member.
const UNKNOWN = 'There is no exploration with this id, or it is in a workspace that you are not a member of. An ' +
  'admin of the workspace can add you.'

const unknownPackage = (): Refusal => new Refusal('This exploration has no package of this type.', 'not_found')

export const explorationsHandlers = (deps: PageDeps): Handlers<typeof explorationsOperations> => {
  const { store, config: { uriScheme }, api: { catalog, people, work } } = deps
  const makeView = createRecordViews()
  const agentView = createAgentView({ store, uriScheme, server: SERVER })

  const requireExploration = async (person: WebPerson, id: string): Promise<ExplorationDetail> => {
    const exploration = await store.explorations.get(id, visibleWorkspaces(person))
    if (!exploration) throw new Refusal(UNKNOWN, 'not_found')
    return exploration
  }

  /** Returns the id. */
  const requireEdited = async (person: WebPerson, id: string): Promise<string> => {
    const exploration = await requireExploration(person, id)
    requireEditor(person, exploration.workspace_id)
    return exploration.id
  }

  return {
    'GET /explorations': ({ query, person, request }) => {
      // Anyone who opens the list may search next, and would wait for the search worker.
      if (query.q === undefined && query.cursor === undefined) deps.prepareSearch?.()
      return listExplorations(deps, person, query, request.signal)
    },

    'GET /tags': async ({ query: { workspace }, person }) =>
      ({ tags: await catalog.tags(visibleWorkspaces(person, workspace), MAX_TAGS) }),

    'GET /explorations/:id': async ({ params: { id }, person, reply }) => {
      const exploration = await requireExploration(person, id)
      const edits = isEditor(person, exploration.workspace_id)
      const [recommendations, counts, revision, questionFacts] = await Promise.all([
        edits ? work.recommendations(exploration.id) : store.recommendations.approved(exploration.id),
        catalog.itemCounts([exploration.id]),
        work.revision(exploration.id),
        edits ? store.explorations.questionFacts?.(exploration.id) : undefined
      ])
      const approvers = await people.names(recommendations.flatMap(({ approved_by: by }) => by ?? []))
      const parts = {
        exploration, revision, questionFacts, recommendations, counts: counts.get(exploration.id), approvers, uriScheme
      }
      return await makeView({ person, reply }, { name: 'exploration', parts })
    },

    'GET /explorations/:id/packages/:type': async ({ params: { id, type }, person, reply }) => {
      const exploration = await requireExploration(person, id)
      const document = isArtifactType(type) ? await store.packages.get(exploration.id, type) : undefined
      if (!document) throw unknownPackage()
      return await makeView({ person, reply }, { name: 'package', parts: { exploration, document } })
    },

    'GET /explorations/:id/plan': async ({ params: { id }, person, reply }) => {
      const exploration = await requireExploration(person, id)
      const edits = isEditor(person, exploration.workspace_id)
      const [plan, questions] = await Promise.all([
        edits && store.plans.forWriters ? store.plans.forWriters(exploration.id) : store.plans.get(exploration.id),
        edits ? work.itemQuestions(exploration.id) : []
      ])
      if (!plan) throw new Refusal('This exploration has no plan yet.', 'not_found')
      return await makeView({ person, reply }, { name: 'plan', parts: { exploration, plan, questions } })
    },

    'GET /explorations/:id/packages/:type/versions': async ({ params: { id, type }, person }) => {
      const { id: exploration } = await requireExploration(person, id)
      const versions = await work.versions(exploration, type)
      if (versions.length === 0) throw unknownPackage()
      return { versions }
    },

    'GET /explorations/:id/packages/:type/versions/:version': async ({ params, person }) => {
      const { id: exploration } = await requireExploration(person, params.id)
      const version = Number(params.version)
      const markdown = await work.version(exploration, params.type, version)
      if (markdown === undefined) throw unknownPackage()
      return { version, markdown }
    },

    'GET /explorations/:id/held': async ({ params: { id }, person }) => {
      return { held: await work.held(await requireEdited(person, id)) }
    },

    'GET /explorations/:id/patch': async ({ params: { id }, person }) => {
      return await deps.planPatch(await requireEdited(person, id))
    },

    'GET /explorations/:id/activity': async ({ params: { id }, person }) => {
      const { id: exploration, workspace_id: workspace } = await requireExploration(person, id)
      const all = isEditor(person, workspace)
      const rows = await work.activity(exploration, workspace, all ? undefined : person.user.id)
      return {
        activity: rows.map((row) => {
          const [, tool] = /^tools\/call (\S+)/.exec(row.action) ?? []
          return { ...row, ...(tool !== undefined && { tool }) }
        })
      }
    },

    'GET /explorations/:id/agent-view': async ({ params: { id }, person, request }) => {
      const exploration = await requireExploration(person, id)
      return agentView(person, exploration, request.signal)
    }
  }
}
