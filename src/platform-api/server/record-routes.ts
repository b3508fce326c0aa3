/** Serves planning data from the store. */
import {
  completeExplorations, completePackages, completeWorkspaces, getExploration, getExplorationWorkspace, getPackage,
  getPlan, getPlanState, getWorkspace, listExplorations, listPackages, listRecommendations, listWorkspaces,
  searchExplorations
} from '../client/record-operations.js'
import type { PageRequest } from '../../planning/store.js'
import type { PlatformRequest, PlatformPorts, RegisterRoute } from './platform-ports.js'

/**
 * Registers the operations of ../client/record-operations.ts. Lists and searches read only the workspaces that the
 * request names.
 */
export function recordRoutes (route: RegisterRoute, { store }: PlatformPorts): void {
  const { workspaces, explorations, packages, plans, recommendations, search } = store

  route(listWorkspaces, async ({ body: { workspace_ids: visible, ...page }, signal }) => {
    const { items, ...rest } = await workspaces.list(visible, { ...page, signal })
    return { workspaces: items, ...rest }
  })
  route(getWorkspace, ({ params: { id = '' } }) => workspaces.get([id], id))
  route(completeWorkspaces, async ({ body: { workspace_ids: visible, prefix, limit } }) =>
    ({ workspaces: await workspaces.complete(visible, prefix, limit) }))

  route(listExplorations, async ({ params: { id = '' }, query, signal }) => {
    const { items, ...rest } = await explorations.list(id, { ...pageOf(query), signal })
    return { explorations: items, ...rest }
  })
  route(getExploration, ({ params: { id = '' } }) => explorations.get(id))
  route(getExplorationWorkspace, async ({ params: { id = '' } }) => {
    const workspace = await explorations.workspaceOf(id)
    return workspace === undefined ? undefined : { workspace_id: workspace }
  })
  route(completeExplorations, async ({ body: { workspace_ids: visible, prefix, limit } }) =>
    ({ explorations: await explorations.complete(visible, prefix, limit) }))

  route(searchExplorations, async ({ body: { workspace_ids: visible, ...question }, signal }) => {
    const { items, ...rest } = await search.find({ ...question, visible, signal })
    return { explorations: items, ...rest }
  })

  route(listPackages, async ({ params: { id = '' } }) => ({ artifact_types: await packages.types(id) }))
  route(getPackage, ({ params: { id = '', type = '' }, signal }) => packages.get(id, type, signal))
  route(completePackages, async ({ body: { workspace_ids: visible, prefix, limit, exploration_id: exploration } }) =>
    ({ artifact_types: await packages.complete(visible, prefix, limit, exploration) }))

  route(getPlan, ({ params: { id = '' }, signal }) => plans.get(id, signal))
  route(getPlanState, ({ params: { id = '' } }) => plans.state(id))
  route(listRecommendations, async ({ params: { id = '' }, query }) => {
    const kind = query['kind'] === 'strategy' || query['kind'] === 'recommendation' ? query['kind'] : undefined
    const approved = await recommendations.approved(id, kind)
    const isApproved = <Item extends { status: string }>(item: Item): item is Item & { status: 'approved' } =>
      item.status === 'approved'
    return { recommendations: approved.filter(isApproved) }
  })
}

/** The schema has checked the types already. */
const pageOf = ({ limit, cursor }: PlatformRequest<unknown>['query']): PageRequest =>
  ({ limit: Number(limit), cursor: cursor === undefined ? undefined : String(cursor) })
