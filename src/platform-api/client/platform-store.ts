/**
 * Reads planning data from a platform. Requests name the visible workspaces, and each reply is checked against them.
 */
import { sanitizeText } from '../../lib/text/text.js'
import { isUuid } from '../../lib/uuid.js'
import type { ExplorationPlace, Store } from '../../planning/store.js'
import { PlatformProtocolError } from './errors.js'
import type { Platform } from './client.js'
import { records } from './record-operations.js'
import { isArtifactType } from '../../planning/records.js'

/**
 * The `Store` of a platform. Its methods throw a `Fault` `unavailable` while the platform is away, a `Refusal` for a
 * cursor that the platform rejects, and a `PlatformProtocolError` for a record that was not requested.
 */
export const platformStore = ({ request }: Platform): Store => ({
  workspaces: {
    async list (visible, { signal, ...page }) {
      const { workspaces: items, ...rest } = await request(records.listWorkspaces, {
        body: { workspace_ids: [...visible], ...page }, signal
      })
      return { items: pickIds(visible, items, ({ id }) => id), ...rest }
    },

    get: (visible, workspaceId) => ofUuid(workspaceId, async (id) => visible.includes(id)
      ? its(await request(records.getWorkspace, { params: { id } }), (found) => found.id === id)
      : undefined),

    async complete (visible, prefix, limit) {
      const found = await request(records.completeWorkspaces, { body: beginning(visible, prefix, limit) })
      return pickIds(visible, found?.workspaces ?? [], ({ id }) => id)
    }
  },

  explorations: {
    get: (explorationId, visible) => ofUuid(explorationId, async (id) => {
      const found = its(await request(records.getExploration, { params: { id } }),
        ({ id: own, workspace, workspace_id: of }) => own === id && workspace.id === of)
      return found && (visible?.includes(found.workspace_id) ?? true) ? found : undefined
    }),

    workspaceOf: (explorationId) => ofUuid(explorationId, async (id) =>
      (await request(records.getExplorationWorkspace, { params: { id } }))?.workspace_id),

    async locate (ids, artifactTypes, signal) {
      const found = new Map<string, ExplorationPlace>()
      for (const id of ids.filter(isUuid)) {
        const place = await request(records.getExplorationWorkspace, { params: { id }, signal })
        if (!place) continue
        const packages = artifactTypes.length === 0
          ? undefined
          : await request(records.listPackages, { params: { id }, signal })
        const types = packages?.artifact_types ?? []
        found.set(id, { ...place, artifact_types: types.filter((type) => artifactTypes.includes(type)) })
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
      const found = await request(records.completeExplorations, { body: beginning(visible, prefix, limit) })
      return found?.explorations ?? []
    }
  },

  packages: {
    get: (explorationId, type, signal) => ofUuid(explorationId, async (id) => isArtifactType(type)
      ? its(await request(records.getPackage, { params: { id, type }, signal }),
        (found) => found.exploration_id === id && found.artifact_type === type)
      : undefined),

    types: async (explorationId) => await ofUuid(explorationId, async (id) =>
      (await request(records.listPackages, { params: { id } }))?.artifact_types) ?? [],

    async complete (visible, prefix, limit, explorationId) {
      if (explorationId !== undefined && !isUuid(explorationId)) return []
      const body = { ...beginning(visible, prefix, limit), exploration_id: explorationId?.toLowerCase() }
      return (await request(records.completePackages, { body }))?.artifact_types ?? []
    }
  },

  plans: {
    get: (explorationId, signal) => ofUuid(explorationId, async (id) =>
      its(await request(records.getPlan, { params: { id }, signal }),
        (found) => found.exploration_id === id)),

    state: (explorationId) => ofUuid(explorationId, async (id) =>
      its(await request(records.getPlanState, { params: { id } }), (found) => found.exploration_id === id))
  },

  recommendations: {
    approved: async (explorationId, kind) => await ofUuid(explorationId, async (id) => {
      const found = await request(records.listRecommendations, { params: { id }, query: { kind } })
      return pickIds([id], found?.recommendations ?? [], ({ exploration_id: exploration }) => exploration)
        .filter((one) => kind === undefined || one.kind === kind)
    }) ?? []
  },

  search: {
    async find ({ query, visible, status, limit, cursor, signal }) {
      const body = {
        query: sendable(query, 10_000), workspace_ids: [...visible], limit, cursor, status: status && [...status]
      }
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

const pickIds = <Item>(requested: readonly string[], items: Item[], of: (item: Item) => string): Item[] => {
  const requestedIds = new Set(requested)
  if (items.every((item) => requestedIds.has(of(item)))) return items
  throw new PlatformProtocolError('The platform answered with records that it was not asked for.')
}

const its = <Found>(found: Found | undefined, isAsked: (found: Found) => boolean): Found | undefined => {
  if (found === undefined || isAsked(found)) return found
  throw new PlatformProtocolError('The platform answered with another record than it was asked for.')
}
