/** Planning data, as the store has it. */
import {
  completeExplorations, completePackages, completeWorkspaces, getExploration, getExplorationWorkspace, getPackage, getPlan, getPlanState,
  getWorkspace, listExplorations, listPackages, listRecommendations, listWorkspaces, searchExplorations
} from '../../platform/record-operations.js'
import type { PageRequest } from '../../planning/store.js'
import type { Asked, PlatformPorts, Serve } from './platform-ports.js'

export function serveRecords (serve: Serve, { store }: PlatformPorts): void {
  const { workspaces, explorations, packages, plans, recommendations, search } = store

  serve(listWorkspaces, async ({ body: { workspace_ids: visible, ...page }, signal }) => {
    const { items, ...rest } = await workspaces.list(visible, { ...page, signal })
    return { workspaces: items, ...rest }
  })
  serve(getWorkspace, ({ params: { id = '' } }) => workspaces.get([id], id))
  serve(completeWorkspaces, async ({ body: { workspace_ids: visible, prefix, limit } }) =>
    ({ workspaces: await workspaces.complete(visible, prefix, limit) }))

  serve(listExplorations, async ({ params: { id = '' }, query, signal }) => {
    const { items, ...rest } = await explorations.list(id, { ...pageOf(query), signal })
    return { explorations: items, ...rest }
  })
  serve(getExploration, ({ params: { id = '' } }) => explorations.get(id))
  serve(getExplorationWorkspace, async ({ params: { id = '' } }) => {
    const workspace = await explorations.workspaceOf(id)
    return workspace === undefined ? undefined : { workspace_id: workspace }
  })
  serve(completeExplorations, async ({ body: { workspace_ids: visible, prefix, limit } }) =>
    ({ explorations: await explorations.complete(visible, prefix, limit) }))

  serve(searchExplorations, async ({ body: { workspace_ids: visible, ...question }, signal }) => {
    const { items, ...rest } = await search.find({ ...question, visible, signal })
    return { explorations: items, ...rest }
  })

  serve(listPackages, async ({ params: { id = '' } }) => ({ artifact_types: await packages.types(id) }))
  serve(getPackage, ({ params: { id = '', type = '' }, signal }) => packages.get(id, type, signal))
  serve(completePackages, async ({ body: { workspace_ids: visible, prefix, limit, exploration_id: exploration } }) =>
    ({ artifact_types: await packages.complete(visible, prefix, limit, exploration) }))

  serve(getPlan, ({ params: { id = '' }, signal }) => plans.get(id, signal))
  serve(getPlanState, ({ params: { id = '' } }) => plans.state(id))
  serve(listRecommendations, async ({ params: { id = '' }, query }) => {
    const kind = query['kind'] === 'strategy' || query['kind'] === 'recommendation' ? query['kind'] : undefined
    const approved = await recommendations.approved(id, kind)
    return { recommendations: approved.flatMap(({ status, ...rest }) => status === 'approved' ? [{ ...rest, status }] : []) }
  })
}

/** Checked by its schema. */
const pageOf = ({ limit, cursor }: Asked<unknown>['query']): PageRequest =>
  ({ limit: Number(limit), cursor: cursor === undefined ? undefined : String(cursor) })
