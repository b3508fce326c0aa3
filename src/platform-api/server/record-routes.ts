/** Serves planning data from the store. */
import { records } from '../client/record-operations.js'
import type { PageRequest } from '../../planning/store.js'
import type { PlatformRequest, PlatformPorts, RegisterRoute } from './platform-ports.js'

/** Lists and searches read only the workspaces that the request names. */
export function recordRoutes (route: RegisterRoute, { store }: PlatformPorts): void {
  const { workspaces, explorations, packages, plans, recommendations, search } = store

  route(records.listWorkspaces, async ({ body: { workspace_ids: visible, ...page }, signal }) => {
    const { items, ...rest } = await workspaces.list(visible, { ...page, signal })
    return { workspaces: items, ...rest }
  })
  route(records.getWorkspace, ({ params: { id = '' } }) => workspaces.get([id], id))
  route(records.completeWorkspaces, async ({ body: { workspace_ids: visible, prefix, limit } }) =>
    ({ workspaces: await workspaces.complete(visible, prefix, limit) }))

  route(records.listExplorations, async ({ params: { id = '' }, query, signal }) => {
    const { items, ...rest } = await explorations.list(id, { ...pageOf(query), signal })
    return { explorations: items, ...rest }
  })
  route(records.getExploration, ({ params: { id = '' } }) => explorations.get(id))
  route(records.getExplorationWorkspace, async ({ params: { id = '' } }) => {
    const workspace = await explorations.workspaceOf(id)
    return workspace === undefined ? undefined : { workspace_id: workspace }
  })
  route(records.completeExplorations, async ({ body: { workspace_ids: visible, prefix, limit } }) =>
    ({ explorations: await explorations.complete(visible, prefix, limit) }))

  route(records.searchExplorations, async ({ body: { workspace_ids: visible, ...question }, signal }) => {
    const { items, ...rest } = await search.find({ ...question, visible, signal })
    return { explorations: items, ...rest }
  })

  route(records.listPackages, async ({ params: { id = '' } }) => ({ artifact_types: await packages.types(id) }))
  route(records.getPackage, ({ params: { id = '', type = '' }, signal }) => packages.get(id, type, signal))
  route(records.completePackages, async ({ body: { workspace_ids: visible, prefix, limit, exploration_id: of } }) =>
    ({ artifact_types: await packages.complete(visible, prefix, limit, of) }))

  route(records.getPlan, ({ params: { id = '' }, signal }) => plans.get(id, signal))
  route(records.getPlanState, ({ params: { id = '' } }) => plans.state(id))
  route(records.listRecommendations, async ({ params: { id = '' }, query }) => {
    const kind = query['kind'] === 'strategy' || query['kind'] === 'recommendation' ? query['kind'] : undefined
    const found = await recommendations.approved(id, kind)
    return { recommendations: found.flatMap((one) => one.status === 'approved' ? { ...one, status: one.status } : []) }
  })
}

/** The schema has checked the types already. */
const pageOf = ({ limit, cursor }: PlatformRequest<unknown>['query']): PageRequest =>
  ({ limit: Number(limit), cursor: cursor === undefined ? undefined : String(cursor) })
