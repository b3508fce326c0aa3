/** The resource of the workspaces that the credential can see, as JSON. */
import type { PlanningResource } from '../tools/planning-tool.js'
import { collectPages, latest, TTL_MS } from './limits.js'

/** Creates the resource under a URI scheme. */
export const workspaces = (scheme: string): PlanningResource => ({
  template: `${scheme}://workspaces`,
  name: 'workspaces',
  title: 'Workspaces',
  description: 'The workspaces that your credential can see.',
  mimeType: 'application/json',
  ttlMs: TTL_MS,
  async read (_variables, { store, principal, signal }) {
    const { items: found } = await collectPages((limit, cursor) => store.workspaces.list(principal.workspaces, {
      limit, cursor, signal
    }))
    const total = principal.workspaces.length
    const data = { workspaces: found, total, ...(found.length < total && { truncated: true }) }
    return {
      mimeType: 'application/json', text: JSON.stringify(data), ...latest(found.map(({ created_at: at }) => at))
    }
  }
})
