/** May this caller see that? What is unknown and what belongs to others is answered alike. */
import { forbidden, Refusal } from '../../lib/errors.js'
import type { ExplorationDetail } from '../store.js'
import type { Context } from './services.js'
import { isUuid } from '../../lib/uuid.js'

type ToolCaller = Pick<Context, 'principal' | 'setAuditField'>

const ARTIFACT_TYPE = /^[a-z][a-z0-9_-]{0,63}$/

// Whatever cannot be an id or a type names nothing, and the database is not asked for it.
export const isArtifactType = (text: string): boolean => ARTIFACT_TYPE.test(text)

const HINT = 'Call list_workspaces to see which workspaces this credential can see. For another one, ask its admin for a membership, ' +
  'or use a key that is not limited to other workspaces.'

/** The workspace's id in the form in which it is stored; an unknown workspace is refused like a foreign one. */
export const requireWorkspace = (context: ToolCaller, id: string): string => {
  const workspace = id.toLowerCase()
  if (isUuid(workspace)) context.setAuditField('workspace_id', workspace)
  if (!context.principal.workspaces.includes(workspace)) throw forbidden('This credential cannot see that workspace.', HINT)
  return workspace
}

/** Says in the audit log that a record of others was asked for, which the caller is not told. */
export const noteForeign = (context: ToolCaller, workspaceId: string): void => {
  context.setAuditField('workspace_id', workspaceId)
  context.setAuditField('outcome', 'forbidden')
}

/**
 * The exploration's id in the form in which it is stored; undefined when there is none, or none that the caller may see: nobody learns
 * by asking whether others have one.
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

/** The same for a caller who wants the whole exploration, in one read. */
export const lookUpExplorationDetail = async (context: Context, id: string): Promise<ExplorationDetail | undefined> => {
  if (!isUuid(id)) return undefined
  const { store: { explorations }, principal: { workspaces } } = context
  context.setAuditField('exploration_id', id.toLowerCase())
  const exploration = await explorations.get(id.toLowerCase(), workspaces)
  // Asked of what is not there too, so that both take as long.
  const foreign = exploration === undefined ? await explorations.workspaceOf(id) : undefined
  if (foreign !== undefined) noteForeign(context, foreign)
  if (exploration !== undefined) context.setAuditField('workspace_id', exploration.workspace_id)
  return exploration
}

const requireFound = <Found>(found: Found | undefined): Found => {
  if (found !== undefined) return found
  throw new Refusal(
    'There is no exploration with this id, or you may not see it. Call find_explorations with a few words to get the right id.',
    'not_found'
  )
}

export const requireExploration = async (context: Context, id: string): Promise<string> =>
  requireFound(await lookUpExploration(context, id))

export const requireExplorationDetail = async (context: Context, id: string): Promise<ExplorationDetail> =>
  requireFound(await lookUpExplorationDetail(context, id))
