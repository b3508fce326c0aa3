/** Checks whether the caller may see a record. Unknown records and records of others give the same result. */
import { forbidden, Refusal } from '../../lib/errors.js'
import type { ExplorationDetail } from '../store.js'
import type { Context } from './planning-tool.js'
import { isUuid } from '../../lib/uuid.js'

type ToolCaller = Pick<Context, 'principal' | 'setAuditField'>

const ARTIFACT_TYPE = /^[a-z][a-z0-9_-]{0,63}$/

/** Whether a text can be a package type. Other texts name nothing, so they need no database query. */
export const isArtifactType = (text: string): boolean => ARTIFACT_TYPE.test(text)

const HINT = 'Call list_workspaces to see which workspaces this credential can see. ' +
  'For another one, ask its admin for a membership, or use a key that is not limited to other workspaces.'

/**
 * Returns the workspace's id in lower case, as it is stored.
 * @throws {Fault} `forbidden` for a workspace that is unknown or not visible
 */
export const requireWorkspace = (context: ToolCaller, id: string): string => {
  const workspace = id.toLowerCase()
  if (isUuid(workspace)) context.setAuditField('workspace_id', workspace)
  if (context.principal.workspaces.includes(workspace)) return workspace
  throw forbidden('This credential cannot see that workspace.', HINT)
}

/**
 * Records in the audit event that the caller requested a record of another workspace. The caller learns nothing of it.
 */
export const noteForeign = (context: ToolCaller, workspaceId: string): void => {
  context.setAuditField('workspace_id', workspaceId)
  context.setAuditField('outcome', 'forbidden')
}

/**
 * Returns the exploration's id in lower case, as it is stored. Undefined when it does not exist or the caller may not
 * see it: the result does not reveal which.
 */
export const lookUpExploration = async (context: Context, id: string): Promise<string | undefined> => {
  if (!isUuid(id)) return undefined
  const exploration = id.toLowerCase()
  context.setAuditField('exploration_id', exploration)
  const workspace = await context.store.explorations.workspaceOf(exploration)
  if (workspace === undefined) return undefined
  if (!context.principal.workspaces.includes(workspace)) {
    noteForeign(context, workspace)
    return undefined
  }
  context.setAuditField('workspace_id', workspace)
  return exploration
}

/** Returns the whole exploration with one read; undefined as for `lookUpExploration`. */
export const lookUpExplorationDetail = async (context: Context, id: string): Promise<ExplorationDetail | undefined> => {
  if (!isUuid(id)) return undefined
  const { store: { explorations }, principal: { workspaces } } = context
  context.setAuditField('exploration_id', id.toLowerCase())
  const exploration = await explorations.get(id.toLowerCase(), workspaces)
  // Also queried for explorations that do not exist, so that both cases take the same time.
  const foreign = exploration === undefined ? await explorations.workspaceOf(id) : undefined
  if (foreign !== undefined) noteForeign(context, foreign)
  if (exploration !== undefined) context.setAuditField('workspace_id', exploration.workspace_id)
  return exploration
}

const requireFound = <Found>(found: Found | undefined): Found => {
  if (found !== undefined) return found
  throw new Refusal(
    'There is no exploration with this id, or you may not see it. Call find_explorations with a few words to get ' +
      'the right id.',
    'not_found'
  )
}

/**
 * Returns the exploration's id in lower case.
 * @throws {Refusal} `not_found` when it does not exist or the caller may not see it
 */
export const requireExploration = async (context: Context, id: string): Promise<string> =>
  requireFound(await lookUpExploration(context, id))

/**
 * Returns the whole exploration.
 * @throws {Refusal} `not_found` when it does not exist or the caller may not see it
 */
export const requireExplorationDetail = async (context: Context, id: string): Promise<ExplorationDetail> =>
  requireFound(await lookUpExplorationDetail(context, id))
