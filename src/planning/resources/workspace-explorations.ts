/** The resource of a workspace's explorations, most recently updated first, as JSON. */
import { requireWorkspace } from '../tools/access.js'
import type { PlanningResource } from '../tools/planning-tool.js'
import { collectPages, latest, MAX_COMPLETIONS, isSearchable, TTL_MS } from './limits.js'

const LISTED = 50

/** Creates the resource under a URI scheme. */
export const workspaceExplorations = (scheme: string): PlanningResource => ({
  template: `${scheme}://workspace/{workspaceId}/explorations`,
  name: 'workspace-explorations',
  title: 'Explorations of a workspace',
  description: 'Id, title, status and tags of every exploration in one workspace, which packages and plans exist; ' +
    'total counts those that are not archived.',
  mimeType: 'application/json',
  ttlMs: TTL_MS,
  async read ({ workspaceId = '' }, context) {
    const { store, principal, signal } = context
    const id = requireWorkspace(context, workspaceId)
    const workspace = await store.workspaces.get(principal.workspaces, id)
    if (workspace === undefined) return undefined
    const { items: explorations, truncated } = await collectPages((limit, cursor) =>
      store.explorations.list(id, { limit, cursor, signal }))
    const { exploration_count: total, ...facts } = workspace
    const data = { workspace: facts, explorations, total, ...(truncated && { truncated }) }
    return {
      mimeType: 'application/json',
      text: JSON.stringify(data),
      ...latest([workspace.created_at, ...explorations.map(({ updated_at: at }) => at)])
    }
  },
  async list ({ store, principal, signal }, cursor) {
    const page = await store.workspaces.list(principal.workspaces, { limit: LISTED, cursor, signal })
    const entries = page.items.map((workspace) => ({
      uri: `${scheme}://workspace/${workspace.id}/explorations`,
      name: `${workspace.slug}-explorations`,
      title: `Explorations of ${workspace.name}`,
      mimeType: 'application/json',
      ...(workspace.description && { description: workspace.description })
    }))
    return { entries, ...(page.next_cursor !== undefined && { next: page.next_cursor }) }
  },
  async complete (variable, prefix, _known, { store, principal }) {
    if (variable !== 'workspaceId' || !isSearchable(prefix)) return []
    return (await store.workspaces.complete(principal.workspaces, prefix, MAX_COMPLETIONS)).map(({ id }) => id)
  }
})
