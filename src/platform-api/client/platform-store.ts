/**
 * Reads planning data from a platform. Requests name the visible workspaces, and each reply is checked against them.
 */
import { sanitizeText } from '../../lib/text/text.js'
import { isUuid } from '../../lib/uuid.js'
import type { ExplorationPlace, Store } from '../../planning/store.js'
import { PlatformProtocolError } from './errors.js'
import type { Platform } from './client.js'
import {
  completeExplorations, completePackages, completeWorkspaces, getExploration, getExplorationWorkspace, getPackage,
  getPlan, getPlanState, getWorkspace, listExplorations, listPackages, listRecommendations, listWorkspaces,
  searchExplorations
} from './record-operations.js'
import { isArtifactType } from '../../planning/tools/access.js'

/**
 * The `Store` of a platform. Its methods throw a `Fault` `unavailable` while the platform is away, a `Refusal` for a
 * cursor that the platform rejects, and a `PlatformProtocolError` for a record that was not requested.
 */
export const platformStore = ({ request, requestOrUndefined, requestIfSupported }: Platform): Store => ({
  workspaces: {
    async list (visible, { signal, ...page }) {
      const { workspaces: items, ...rest } = await request(listWorkspaces, {
        body: { workspace_ids: [...visible], ...page }, signal
      })
      return { items: pickIds(visible, items, ({ id }) => id), ...rest }
    },

    async get (visible, id) {
      const lowerId = id.toLowerCase()
      if (!isUuid(id) || !visible.includes(lowerId)) return undefined
      return its(await requestOrUndefined(getWorkspace, { params: { id: lowerId } }), (found) => found.id === lowerId)
    },

    async complete (visible, prefix, limit) {
      const found = await requestIfSupported(completeWorkspaces, { body: beginning(visible, prefix, limit) })
      return pickIds(visible, found?.workspaces ?? [], ({ id }) => id)
    }
  },

  explorations: {
    async get (id, visible) {
      if (!isUuid(id)) return undefined
      const lowerId = id.toLowerCase()
      const found = its(await requestOrUndefined(getExploration, { params: { id: lowerId } }),
        ({ id, workspace, workspace_id: of }) => id === lowerId && workspace.id === of)
      return found && (visible?.includes(found.workspace_id) ?? true) ? found : undefined
    },

    async workspaceOf (id) {
      if (!isUuid(id)) return undefined
      return (await requestOrUndefined(getExplorationWorkspace, { params: { id: id.toLowerCase() } }))?.workspace_id
    },

    async locate (ids, artifactTypes, signal) {
      const found = new Map<string, ExplorationPlace>()
      for (const id of ids.filter(isUuid)) {
        const place = await requestOrUndefined(getExplorationWorkspace, { params: { id }, signal })
        if (!place) continue
        const packages = artifactTypes.length === 0
          ? undefined
          : await requestOrUndefined(listPackages, { params: { id }, signal })
        const types = packages?.artifact_types ?? []
        found.set(id, {
          workspace_id: place.workspace_id, artifact_types: types.filter((type) => artifactTypes.includes(type))
        })
      }
      return found
    },

    async list (workspaceId, { limit, cursor, signal }) {
      if (!isUuid(workspaceId)) return { items: [] }
      const id = workspaceId.toLowerCase()
      const { explorations: items, ...rest } = await request(listExplorations, {
        params: { id }, query: { limit, cursor }, signal
      })
      return { items: pickIds([id], items, ({ workspace_id: workspace }) => workspace), ...rest }
    },

    async complete (visible, prefix, limit) {
      const found = await requestIfSupported(completeExplorations, { body: beginning(visible, prefix, limit) })
      return found?.explorations ?? []
    }
  },

  packages: {
    async get (explorationId, artifactType, signal) {
      if (!isUuid(explorationId) || !isArtifactType(artifactType)) return undefined
      const id = explorationId.toLowerCase()
      return its(await requestOrUndefined(getPackage, { params: { id, type: artifactType }, signal }),
        (found) => found.exploration_id === id && found.artifact_type === artifactType)
    },

    async types (explorationId) {
      if (!isUuid(explorationId)) return []
      const found = await requestOrUndefined(listPackages, { params: { id: explorationId.toLowerCase() } })
      return found?.artifact_types ?? []
    },

    async complete (visible, prefix, limit, explorationId) {
      if (explorationId !== undefined && !isUuid(explorationId)) return []
      const narrowed = explorationId !== undefined && { exploration_id: explorationId.toLowerCase() }
      const body = { ...beginning(visible, prefix, limit), ...narrowed }
      return (await requestIfSupported(completePackages, { body }))?.artifact_types ?? []
    }
  },

  plans: {
    async get (explorationId, signal) {
      if (!isUuid(explorationId)) return undefined
      const id = explorationId.toLowerCase()
      return its(await requestOrUndefined(getPlan, { params: { id }, signal }), (found) => found.exploration_id === id)
    },

    async state (explorationId) {
      if (!isUuid(explorationId)) return undefined
      const id = explorationId.toLowerCase()
      return its(await requestOrUndefined(getPlanState, { params: { id } }), (found) => found.exploration_id === id)
    }
  },

  recommendations: {
    async approved (explorationId, kind) {
      if (!isUuid(explorationId)) return []
      const id = explorationId.toLowerCase()
      const found = await requestOrUndefined(listRecommendations, { params: { id }, query: { kind } })
      return pickIds([id], found?.recommendations ?? [], ({ exploration_id: exploration }) => exploration)
        .filter((one) => kind === undefined || one.kind === kind)
    }
  },

  search: {
    async find ({ query, visible, status, limit, cursor, signal }) {
      const narrowed = { ...status && { status: [...status] }, ...cursor !== undefined && { cursor } }
      const body = { query: sendable(query, 10_000), workspace_ids: [...visible], limit, ...narrowed }
      const { explorations: items, ...rest } = await request(searchExplorations, { body, signal })
      return { items: pickIds(visible, items, ({ workspace_id: workspace }) => workspace), ...rest }
    }
  }
})

const beginning = (visible: readonly string[], prefix: string, limit: number) =>
  ({ workspace_ids: [...visible], prefix: sendable(prefix, 1000), limit })

const sendable = (text: string, maxLength: number): string => sanitizeText(text.slice(0, maxLength))

/** Returns the items when all of them belong to the requested ids; otherwise throws a `PlatformProtocolError`. */
const pickIds = <Item>(requested: readonly string[], items: Item[], of: (item: Item) => string): Item[] => {
  const requestedIds = new Set(requested)
  if (items.every((item) => requestedIds.has(of(item)))) return items
  throw new PlatformProtocolError('The platform answered with records that it was not asked for.')
}

const its = <Found>(found: Found | undefined, isAsked: (found: Found) => boolean): Found | undefined => {
  if (found === undefined || isAsked(found)) return found
  throw new PlatformProtocolError('The platform answered with another record than it was asked for.')
}
