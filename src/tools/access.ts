/** May this caller see that? "Unknown" and "not yours" are told apart only where that gives nothing away. */
import { forbidden, Refusal } from '../errors.js'
import type { ExplorationDetail } from '../store/store.js'
import type { Context } from './services.js'

type Caller = Pick<Context, 'principal' | 'note'>

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whatever is no UUID is the id of nothing; the database is not asked. */
export const isId = (text: string): boolean => UUID.test(text)

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

const unknown = (): Refusal =>
  new Refusal('There is no exploration with this id. Call find_explorations with a few words to get the right id.', 'not_found')

/** The exploration's id in the form in which it is stored; refuses one that is unknown or in a workspace of others. */
export const requireExploration = async (context: Context, id: string): Promise<string> => {
  if (!isId(id)) throw unknown()
  const exploration = id.toLowerCase()
  context.note('exploration_id', exploration)
  const workspace = await context.store.explorations.workspaceOf(exploration)
  if (workspace === undefined) throw unknown()
  refuseForeign(context, workspace)
  return exploration
}

/** The same for a caller who wants the whole exploration, in one read. */
export const requireExplorationDetail = async (context: Context, id: string): Promise<ExplorationDetail> => {
  if (!isId(id)) throw unknown()
  context.note('exploration_id', id.toLowerCase())
  const exploration = await context.store.explorations.get(id.toLowerCase(), context.signal)
  if (exploration === undefined) throw unknown()
  refuseForeign(context, exploration.workspace_id)
  return exploration
}
