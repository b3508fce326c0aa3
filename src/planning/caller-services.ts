/** What tools and resources get with a request: the planning data in the name of its caller. */
import type { UserPrincipal, WorkspaceRevisions } from '../lib/principal.js'
import { createRecordCache, type RecordCache } from './record-cache.js'
import type { Explorations, Store } from './store.js'
import type { ToolServices } from './tools/planning-tool.js'

/** Returns what gives the services of a caller: where its revisions are known, with records from memory. */
export const createCallerServices = (services: ToolServices) => {
  const cache = createRecordCache()
  return ({ credential, revisions }: UserPrincipal): ToolServices => {
    const store = services.store.forCaller?.(credential.id) ?? services.store
    return { ...services, store: revisions ? cachedStore(store, cache, revisions) : store }
  }
}

const placeOf = (id: string): string => `place ${id}`

/**
 * The store for one request, whose caller can see the workspaces of `revisions`: reads of one exploration or workspace
 * come from the cache while that proves them unchanged. Its values are shared: no one may change them.
 */
const cachedStore = (store: Store, cache: RecordCache, revisions: WorkspaceRevisions): Store => {
  const { workspaces, explorations, packages, plans, recommendations, search } = store

  /** Reads what belongs to a workspace, known by a look-up of its exploration; what is not there is not remembered. */
  const remembered = async <Value>(
    kind: string, id: string, read: () => Promise<Value>,
    workspace = cache.get(placeOf(id), revisions)?.workspace
  ): Promise<Value> => {
    const key = `${kind} ${id}`
    // Each kind of key has one type of values.
    const known = cache.get(key, revisions)?.value as Value | undefined
    if (known !== undefined) return known
    const value = await read()
    if (workspace !== undefined && value !== undefined) cache.set(key, workspace, value, revisions)
    return value
  }

  return {
    search,
    workspaces: {
      ...workspaces,
      get: (visible, id) => visible.includes(id)
        ? remembered('workspace', id, () => workspaces.get(visible, id), id)
        : workspaces.get(visible, id)
    },
    explorations: {
      ...explorations,
      list: (id, page) => remembered(
        `list ${page.limit} ${page.cursor ?? ''}`, id, () => explorations.list(id, page), id),

      async get (id, visible) {
        const key = `exploration ${id}`
        const known = cache.get(key, revisions)
        if (known && (visible === undefined || visible.includes(known.workspace))) {
          return known.value as Awaited<ReturnType<Explorations['get']>>
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
      get: (id, type, signal) => remembered(`package ${type}`, id, () => packages.get(id, type, signal)),
      types: (id) => remembered('types', id, () => packages.types(id))
    },
    plans: {
      ...plans,
      get: (id, signal) => remembered('plan', id, () => plans.get(id, signal)),
      state: (id) => remembered('state', id, () => plans.state(id))
    },
    recommendations: {
      approved: (id, kind) => remembered(`recommendations ${kind ?? ''}`, id, () => recommendations.approved(id, kind))
    }
  }
}
