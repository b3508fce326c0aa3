/** May this caller see that? "Unknown" and "not yours" are told apart only where that gives nothing away. */
import { forbidden, Refusal } from '../errors.js'
import type { ExplorationDetail } from '../store/store.js'
import type { Context } from './services.js'

type Caller = Pick<Context, 'principal' | 'note'>

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const ARTIFACT_TYPE = /^[a-z][a-z0-9_-]{0,63}$/

// Whatever cannot be an id or a type names nothing, and the database is not asked for it.
export const isId = (text: string): boolean => UUID.test(text)
export const isArtifactType = (text: string): boolean => ARTIFACT_TYPE.test(text)

const HINT = 'Call list_workspaces to see which workspaces this credential can see. For another one, ask its admin for a membership, ' +
  'or use a key that is not limited to other workspaces.'

/** The workspace's id in the form in which it is stored; an unknown workspace is refused like a foreign one. */
export const requireWorkspace = (context: Caller, id: string): string => {
  const workspace = id.toLowerCase()
  if (isId(workspace)) context.note('workspace_id', workspace)
  if (!context.principal.workspaces.includes(workspace)) throw forbidden('This credential cannot see that workspace.', HINT)
  return workspace
}

const refuseForeign = (context: Caller, workspaceId: string): void => {
  context.note('workspace_id', workspaceId)
  if (!context.principal.workspaces.includes(workspaceId)) {
    throw forbidden('This credential cannot see the workspace of that exploration.', HINT)
  }
}

/** The exploration's id in the form in which it is stored; undefined when there is none, a fault when it is in a workspace of others. */
export const lookUpExploration = async (context: Context, id: string): Promise<string | undefined> => {
  if (!isId(id)) return undefined
  const exploration = id.toLowerCase()
  context.note('exploration_id', exploration)
  const workspace = await context.store.explorations.workspaceOf(exploration)
  if (workspace === undefined) return undefined
  refuseForeign(context, workspace)
  return exploration
}

/** The same for a caller who wants the whole exploration, in one read. */
export const lookUpExplorationDetail = async (context: Context, id: string): Promise<ExplorationDetail | undefined> => {
  if (!isId(id)) return undefined
  context.note('exploration_id', id.toLowerCase())
  const exploration = await context.store.explorations.get(id.toLowerCase())
  if (exploration !== undefined) refuseForeign(context, exploration.workspace_id)
  return exploration
}

const known = <Found>(found: Found | undefined): Found => {
  if (found !== undefined) return found
  throw new Refusal('There is no exploration with this id. Call find_explorations with a few words to get the right id.', 'not_found')
}

export const requireExploration = async (context: Context, id: string): Promise<string> => known(await lookUpExploration(context, id))

export const requireExplorationDetail = async (context: Context, id: string): Promise<ExplorationDetail> =>
  known(await lookUpExplorationDetail(context, id))
