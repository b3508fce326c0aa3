/** Checks whether resources exist and are visible, with one read for all and without their contents. */
import { isArtifactType } from '../records.js'
import { requireWorkspace } from '../tools/access.js'
import type { ExplorationPlace } from '../store.js'
import type { Context } from '../tools/planning-tool.js'
import type { MatchedResource } from '../../engine/resources/resource.js'
import { isUuid } from '../../lib/uuid.js'

/**
 * Returns, in order, whether each record that variables of resources name exists and is visible. Explorations of other
 * workspaces give false, like unknown ones, and are recorded for the audit log. Without a name it is true.
 * @throws {Fault} `forbidden` when one is a workspace that the caller cannot see
 */
export const locateResources = async (
  resources: ReadonlyArray<Pick<MatchedResource, 'variables'>>, context: Context
): Promise<boolean[]> => {
  const names = resources.map(({ variables }) => variables)
  for (const { workspaceId } of names) if (workspaceId !== undefined) requireWorkspace(context, workspaceId)
  const named = names.flatMap(({ explorationId }) =>
    explorationId !== undefined && isUuid(explorationId) ? [explorationId.toLowerCase()] : [])
  const types = names.flatMap(({ artifactType }) =>
    artifactType !== undefined && isArtifactType(artifactType) ? [artifactType] : [])
  // An audit event names one exploration only.
  if (named[0] !== undefined) context.setAuditField('exploration_id', named[0])
  const found = named.length === 0
    ? new Map<string, ExplorationPlace>()
    : await context.store.explorations.locate([...new Set(named)], [...new Set(types)], context.signal)
  const isForeign = (workspace: string): boolean => !context.principal.workspaces.includes(workspace)
  const [foreign] = [...found].filter(([, { workspace_id: workspace }]) => isForeign(workspace))
  if (foreign) {
    const [exploration, { workspace_id: workspace }] = foreign
    context.setAuditField('exploration_id', exploration)
    context.setAuditField('workspace_id', workspace)
    context.setAuditField('outcome', 'forbidden')
  } else if (named.length === 1) {
    for (const { workspace_id: workspace } of found.values()) context.setAuditField('workspace_id', workspace)
  }
  return names.map(({ explorationId, artifactType }) => {
    if (explorationId === undefined) return true
    const there = found.get(explorationId.toLowerCase())
    if (there === undefined || isForeign(there.workspace_id)) return false
    return artifactType === undefined || there.artifact_types.includes(artifactType)
  })
}
