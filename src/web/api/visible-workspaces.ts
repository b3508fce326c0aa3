/** Which workspaces a person sees, and looking one of them up without telling of others. */
import { forbidden, Refusal } from '../../lib/errors.js'
import type { WorkspaceDirectory, WorkspaceEntry } from '../../db/sql-workspace-directory.js'
import type { Access, WebPerson } from '../permissions.js'

/**
 * Ids of the workspaces that the person sees: their memberships, or all for a server administrator. Archived ones are
 * left out.
 */
export const visibleWorkspaces = (
  workspaces: WorkspaceDirectory, { serverAdmin, memberships }: WebPerson
): Promise<string[]> =>
  workspaces.activeIds(serverAdmin ? undefined : memberships.map(({ workspace }) => workspace.id))

const unknownWorkspace = (name: string): Refusal =>
  new Refusal(`There is no workspace ${JSON.stringify(name.slice(0, 64))}, or you may not see it.`, 'not_found')

/**
 * Returns the workspace of an id or slug.
 * @throws {Refusal} `not_found` when there is none or the person does not see it; an archived one is seen by server
 * administrators only
 */
export const requireVisibleWorkspace = async (
  workspaces: WorkspaceDirectory, { serverAdmin, memberships }: WebPerson, name: string
): Promise<WorkspaceEntry> => {
  const entry = await workspaces.find(name)
  const visible = serverAdmin ||
    (entry?.archived_at === null && memberships.some(({ workspace }) => workspace.id === entry.id))
  if (!entry || !visible) throw unknownWorkspace(name)
  return entry
}

/**
 * Returns the workspace when the person reaches it with the operation.
 * @throws {Refusal} `not_found` when the person does not see it
 * @throws {Fault} `forbidden` when they see it and their role is not enough
 */
export const requireReachedWorkspace = async (
  workspaces: WorkspaceDirectory, person: WebPerson, { all, workspaces: reach }: Access, name: string
): Promise<WorkspaceEntry> => {
  const entry = await requireVisibleWorkspace(workspaces, person, name)
  if (all || reach.includes(entry.id)) return entry
  throw forbidden('Only an admin of this workspace may do this.', 'Ask one of them.')
}

/**
 * Returns the ids of workspaces that are named by id or slug.
 * @throws {Refusal} `not_found` for the first that the person does not see
 */
export const requireVisibleIds = async (
  workspaces: WorkspaceDirectory, person: WebPerson, names: readonly string[]
): Promise<string[]> => {
  const visible = await workspaces.list(await visibleWorkspaces(workspaces, person), false)
  return [...new Set(names.map((name) => {
    const workspace = visible.find(({ id, slug }) => slug === name || id === name.toLowerCase())
    if (!workspace) throw unknownWorkspace(name)
    return workspace.id
  }))]
}
