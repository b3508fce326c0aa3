/**
 * Reads planning data from a platform. Requests name the visible workspaces, and each reply is checked against them.
 */
import { sanitizeText } from '../../lib/text/text.js'
import { isUuid } from '../../lib/uuid.js'
import type { ExplorationPlace, Store } from '../../planning/store.js'
import { PlatformProtocolError } from './errors.js'
import type { Platform } from './client.js'
import { records } from './record-operations.js'
import { isArtifactType } from '../../planning/tools/access.js'

/**
 * The `Store` of a platform. Its methods throw a `Fault` `unavailable` while the platform is away, a `Refusal` for a
 * cursor that the platform rejects, and a `PlatformProtocolError` for a record that was not requested.
 */
export const platformStore = ({ request, requestOrUndefined, requestIfSupported }: Platform): Store => ({
  workspaces: {
    async list (visible, { signal, ...page }) {
      const { workspaces: items, ...rest } = await request(records.listWorkspaces, {
        body: { workspace_ids: [...visible], ...page }, signal
      })
      return { items: pickIds(visible, items, ({ id }) => id), ...rest }
    },

    async get (visible, id) {
      const lowerId = id.toLowerCase()
      if (!isUuid(id) || !visible.includes(lowerId)) return undefined
      const found = await requestOrUndefined(records.getWorkspace, { params: { id: lowerId } })
      return its(found, ({ id }) => id === lowerId)
    },

    async complete (visible, prefix, limit) {
      const found = await requestIfSupported(records.completeWorkspaces, { body: beginning(visible, prefix, limit) })
      return pickIds(visible, found?.workspaces ?? [], ({ id }) => id)
    }
  },

  explorations: {
    async get (id, visible) {
      if (!isUuid(id)) return undefined
      const lowerId = id.toLowerCase()
      const found = its(await requestOrUndefined(records.getExploration, { params: { id: lowerId } }),
        ({ id, workspace, workspace_id: of }) => id === lowerId && workspace.id === of)
      return found && (visible?.includes(found.workspace_id) ?? true) ? found : undefined
    },

    workspaceOf: (explorationId) => ofUuid(explorationId, async (id) =>
      (await requestOrUndefined(records.getExplorationWorkspace, { params: { id } }))?.workspace_id),

    async locate (ids, artifactTypes, signal) {
      const found = new Map<string, ExplorationPlace>()
      for (const id of ids.filter(isUuid)) {
        const place = await requestOrUndefined(records.getExplorationWorkspace, { params: { id }, signal })
        if (!place) continue
        const packages = artifactTypes.length === 0
          ? undefined
          : await requestOrUndefined(records.listPackages, { params: { id }, signal })
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
      const { explorations: items, ...rest } = await request(records.listExplorations, {
        params: { id }, query: { limit, cursor }, signal
      })
      return { items: pickIds([id], items, ({ workspace_id: workspace }) => workspace), ...rest }
    },

    async complete (visible, prefix, limit) {
      const found = await requestIfSupported(records.completeExplorations, { body: beginning(visible, prefix, limit) })
      return found?.explorations ?? []
    }
  },

  packages: {
    async get (explorationId, artifactType, signal) {
      if (!isUuid(explorationId) || !isArtifactType(artifactType)) return undefined
      const id = explorationId.toLowerCase()
      return its(await requestOrUndefined(records.getPackage, { params: { id, type: artifactType }, signal }),
        (found) => found.exploration_id === id && found.artifact_type === artifactType)
    },

    types: async (explorationId) => await ofUuid(explorationId, async (id) =>
      (await requestOrUndefined(records.listPackages, { params: { id } }))?.artifact_types) ?? [],

    async complete (visible, prefix, limit, explorationId) {
      if (explorationId !== undefined && !isUuid(explorationId)) return []
      const narrowed = explorationId !== undefined && { exploration_id: explorationId.toLowerCase() }
      const body = { ...beginning(visible, prefix, limit), ...narrowed }
      return (await requestIfSupported(records.completePackages, { body }))?.artifact_types ?? []
    }
  },

  plans: {
    get: (explorationId, signal) => ofUuid(explorationId, async (id) =>
      its(await requestOrUndefined(records.getPlan, { params: { id }, signal }),
        (found) => found.exploration_id === id)),

    state: (explorationId) => ofUuid(explorationId, async (id) =>
      its(await requestOrUndefined(records.getPlanState, { params: { id } }), (found) => found.exploration_id === id))
  },

  recommendations: {
    async approved (explorationId, kind) {
      if (!isUuid(explorationId)) return []
      const id = explorationId.toLowerCase()
      const found = await requestOrUndefined(records.listRecommendations, { params: { id }, query: { kind } })
      return pickIds([id], found?.recommendations ?? [], ({ exploration_id: exploration }) => exploration)
        .filter((one) => kind === undefined || one.kind === kind)
    }
  },

  search: {
    async find ({ query, visible, status, limit, cursor, signal }) {
      const narrowed = { ...status && { status: [...status] }, ...cursor !== undefined && { cursor } }
      const body = { query: sendable(query, 10_000), workspace_ids: [...visible], limit, ...narrowed }
      const { explorations: items, ...rest } = await request(records.searchExplorations, { body, signal })
      return { items: pickIds(visible, items, ({ workspace_id: workspace }) => workspace), ...rest }
    }
  }
})

/** Reads a record by an id in lower case; undefined for a text that is no id. */
const ofUuid = async <Found>(
  text: string, read: (id: string) => Promise<Found | undefined>
): Promise<Found | undefined> => isUuid(text) ? await read(text.toLowerCase()) : undefined

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
