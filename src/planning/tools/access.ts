/**
 * Checks whether the caller may see a record. A record of a workspace that the caller cannot see is refused with 403,
 * and nothing of the workspace is told. Ids of imported records can be computed, so that a 403 confirms a guessed one:
 * docs/explanation/decisions.md
 */
import { forbidden, type Fault } from '../../lib/errors.js'
import { mayWriteAs, NO_WRITING_ROLE, WRITING_SCOPES } from '../agent-policy.js'
import { agentsReadOnly, unknownExploration } from '../changes/refusals.js'
import type { ExplorationDetail } from '../store.js'
import type { Context } from './planning-tool.js'
import { isUuid } from '../../lib/uuid.js'

type ToolCaller = Pick<Context, 'principal' | 'setAuditField'>

const HINT = 'Call list_workspaces to see which workspaces this credential can see. ' +
  'For another one, ask its admin for a membership, or use a credential that is not limited to other workspaces. ' +
  'Agents do not see archived workspaces.'

const cannotSee = (what: string): Fault =>
  forbidden(`This credential cannot see ${what}. An admin of that workspace can add a member.`, HINT)

/** Returns the id in lower case, as it is stored. @throws {Fault} `forbidden` for a workspace that is not visible */
export const requireWorkspace = (context: ToolCaller, id: string): string => {
  const workspace = id.toLowerCase()
  if (isUuid(workspace)) context.setAuditField('workspace_id', workspace)
  if (context.principal.workspaces.includes(workspace)) return workspace
  throw cannotSee('that workspace')
}

const requireVisible = (context: ToolCaller, workspaceId: string): void => {
  context.setAuditField('workspace_id', workspaceId)
  if (!context.principal.workspaces.includes(workspaceId)) throw cannotSee('the workspace of this exploration')
}

/** Returns the id in lower case; undefined for an unknown one. @throws {Fault} `forbidden` when it is not visible */
export const lookUpExploration = async (context: Context, id: string): Promise<string | undefined> => {
  if (!isUuid(id)) return undefined
  const exploration = id.toLowerCase()
  context.setAuditField('exploration_id', exploration)
  const workspace = await context.store.explorations.workspaceOf(exploration)
  if (workspace === undefined) return undefined
  requireVisible(context, workspace)
  return exploration
}

/** Returns the whole exploration with one read; undefined and throws as `lookUpExploration`. */
export const lookUpExplorationDetail = async (context: Context, id: string): Promise<ExplorationDetail | undefined> => {
  if (!isUuid(id)) return undefined
  const { store: { explorations }, principal: { workspaces } } = context
  context.setAuditField('exploration_id', id.toLowerCase())
  const exploration = await explorations.get(id.toLowerCase(), workspaces)
  const workspace = exploration?.workspace_id ?? await explorations.workspaceOf(id)
  if (workspace !== undefined) requireVisible(context, workspace)
  return exploration
}

const requireFound = <Found>(found: Found | undefined): Found => {
  if (found !== undefined) return found
  throw unknownExploration()
}

/** Returns the exploration's id in lower case; otherwise as `lookUpExploration`, and `not_found` when there is none. */
export const requireExploration = async (context: Context, id: string): Promise<string> =>
  requireFound(await lookUpExploration(context, id))

export const requireExplorationDetail = async (context: Context, id: string): Promise<ExplorationDetail> =>
  requireFound(await lookUpExplorationDetail(context, id))

const ruleOf = async (
  { principal: { rules }, store: { explorations } }: Pick<Context, 'principal' | 'store'>, exploration: string
) => rules?.get(await explorations.workspaceOf(exploration) ?? '')

/** Refuses an exploration where the caller may not write, although it may elsewhere. */
export const requireWritable = async (context: Context, exploration: string): Promise<void> => {
  const rule = await ruleOf(context, exploration)
  if (!rule || !mayWriteAs(rule)) throw forbidden(NO_WRITING_ROLE.message, NO_WRITING_ROLE.hint)
  if (rule.agents === 'read') throw agentsReadOnly()
}

/** Whether the caller may write in the workspace of an exploration that it sees. */
export const mayWriteIn = async (
  context: Pick<Context, 'principal' | 'store'>, exploration: string
): Promise<boolean> => {
  if (!WRITING_SCOPES.includes(context.principal.credential.scope)) return false
  const rule = await ruleOf(context, exploration)
  return rule !== undefined && rule.agents !== 'read' && mayWriteAs(rule)
}
