/** A store whose reads of one exploration or workspace come from a record cache while that proves them unchanged. */
import type { WorkspaceRevisions } from '../lib/principal.js'
import type { RecordCache } from './record-cache.js'
import type { Explorations, Packages, Plans, Recommendations, Search, Store, Workspaces } from './store.js'

/**
 * Returns the store for one request, whose caller can see the workspaces of `revisions`. Its values are shared: no one
 * may change them.
 */
export const cachedStore = (store: Store, cache: RecordCache, revisions: WorkspaceRevisions): Store =>
  new CachedStore(store, cache, revisions)

/** Most requests read one kind of records, so that each part is made when it is asked for. */
class CachedStore implements Store {
  readonly search: Search
  readonly #store: Store
  readonly #cache: RecordCache
  readonly #revisions: WorkspaceRevisions

  constructor (store: Store, cache: RecordCache, revisions: WorkspaceRevisions) {
    this.search = store.search
    this.#store = store
    this.#cache = cache
    this.#revisions = revisions
  }

  get workspaces (): Workspaces {
    const { workspaces } = this.#store
    return {
      ...workspaces,
      get: (visible, id) => visible.includes(id)
        ? this.#ofWorkspace('workspace', id, () => workspaces.get(visible, id))
        : workspaces.get(visible, id)
    }
  }

  get explorations (): Explorations {
    const { explorations } = this.#store
    const cache = this.#cache
    const revisions = this.#revisions
    return {
      ...explorations,

      list: (id, page) => this.#ofWorkspace(
        `list ${page.limit} ${page.cursor ?? ''}`, id, () => explorations.list(id, page)),

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
    }
  }

  get packages (): Packages {
    const { packages } = this.#store
    return {
      ...packages,
      get: (id, type, signal) => this.#ofExploration(`package ${type}`, id, () => packages.get(id, type, signal)),
      types: (id) => this.#ofExploration('types', id, () => packages.types(id))
    }
  }

  get plans (): Plans {
    const { plans } = this.#store
    return {
      ...plans,
      get: (id, signal) => this.#ofExploration('plan', id, () => plans.get(id, signal)),
      state: (id) => this.#ofExploration('state', id, () => plans.state(id))
    }
  }

  get recommendations (): Recommendations {
    const { recommendations } = this.#store
    return {
      approved: (id, kind) => this.#ofExploration(
        `recommendations ${kind ?? ''}`, id, () => recommendations.approved(id, kind))
    }
  }

  /** Each kind of key has one type of values. */
  #remembered<Value> (key: string): Value | undefined {
    return this.#cache.get(key, this.#revisions)?.value as Value | undefined
  }

  /** Reads what belongs to a workspace. What does not exist is not remembered. */
  async #ofWorkspace<Value> (kind: string, workspace: string, read: () => Promise<Value>): Promise<Value> {
    const key = `${kind} ${workspace}`
    const known = this.#remembered<Value>(key)
    if (known !== undefined) return known
    const value = await read()
    if (value !== undefined) this.#cache.set(key, workspace, value, this.#revisions)
    return value
  }

  /**
   * Reads what belongs to an exploration whose workspace is known, because the caller looked for the exploration
   * before. What does not exist is not remembered.
   */
  async #ofExploration<Value> (kind: string, id: string, read: () => Promise<Value>): Promise<Value> {
    const key = `${kind} ${id}`
    const known = this.#remembered<Value>(key)
    if (known !== undefined) return known
    const place = this.#cache.get(placeOf(id), this.#revisions)
    const value = await read()
    if (place && value !== undefined) this.#cache.set(key, place.workspace, value, this.#revisions)
    return value
  }
}

const placeOf = (id: string): string => `place ${id}`
