/** A store whose reads of one exploration or workspace come from a record cache while that proves them unchanged. */
import type { WorkspaceRevisions } from '../lib/principal.js'
import type { RecordCache } from './record-cache.js'
import type { ExplorationDetail, Store } from './store.js'

/**
 * Returns the store for one request, whose caller can see the workspaces of `revisions`. Its values are shared: nobody
 * may change them.
 */
export const cachedStore = (store: Store, cache: RecordCache, revisions: WorkspaceRevisions): Store => {
  const { workspaces, explorations, packages, plans, recommendations } = store

  /** Reads what belongs to a workspace. What does not exist is not remembered. */
  const ofWorkspace = async <Value>(
    kind: string, workspace: string, read: () => Promise<Value>
  ): Promise<Value> => {
    const key = `${kind} ${workspace}`
    const known = cache.get(key, revisions)
    // Each kind has one type of values.
    if (known) return known.value as Value
    const value = await read()
    if (value !== undefined) cache.set(key, workspace, value, revisions)
    return value
  }

  /**
   * Reads what belongs to an exploration whose workspace is known, because the caller looked for the exploration
   * before. What does not exist is not remembered.
   */
  const cached = async <Value>(kind: string, id: string, read: () => Promise<Value>): Promise<Value> => {
    const key = `${kind} ${id}`
    const known = cache.get(key, revisions)
    // Each kind has one type of values.
    if (known) return known.value as Value
    const place = cache.get(placeOf(id), revisions)
    const value = await read()
    if (place && value !== undefined) cache.set(key, place.workspace, value, revisions)
    return value
  }

  return {
    ...store,
    workspaces: {
      ...workspaces,
      get: (visible, id) => visible.includes(id)
        ? ofWorkspace('workspace', id, () => workspaces.get(visible, id))
        : workspaces.get(visible, id)
    },
    explorations: {
      ...explorations,

      list: (id, page) => ofWorkspace(
        `list ${page.limit} ${page.cursor ?? ''}`, id, () => explorations.list(id, page)),

      async get (id, visible) {
        const key = `exploration ${id}`
        const known = cache.get(key, revisions)
        if (known && (visible === undefined || visible.includes(known.workspace))) {
          return known.value as ExplorationDetail
        }
        const found = await explorations.get(id, visible)
        if (!found) return undefined
        cache.set(key, found.workspace_id, found, revisions)
        cache.set(placeOf(id), found.workspace_id, true, revisions)
        return found
      },

      async workspaceOf (id) {
        const known = cache.get(placeOf(id), revisions)
        if (known) return known.workspace
        const workspace = await explorations.workspaceOf(id)
        if (workspace !== undefined) cache.set(placeOf(id), workspace, true, revisions)
        return workspace
      }
    },
    packages: {
      ...packages,
      get: (id, type, signal) => cached(`package ${type}`, id, () => packages.get(id, type, signal)),
      types: (id) => cached('types', id, () => packages.types(id))
    },
    plans: {
      get: (id, signal) => cached('plan', id, () => plans.get(id, signal)),
      state: (id) => cached('state', id, () => plans.state(id))
    },
    recommendations: {
      approved: (id, kind) => cached(`recommendations ${kind ?? ''}`, id, () => recommendations.approved(id, kind))
    }
  }
}

const placeOf = (id: string): string => `place ${id}`
