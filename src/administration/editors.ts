/** Who may change what: editors and admins of a workspace, and which workspaces those are. */
import { forbidden, type Fault } from '../lib/errors.js'
import { accessTo, EDITORS, type Access, type WebPerson } from './permission.js'
import { requireVisibleIds, visibleWorkspaces } from './visible-workspaces.js'

const notEditor = ({ user: { email } }: WebPerson): Fault =>
  forbidden(`Only an editor or admin of the workspace may do this: ${email} is neither.`, 'Ask one of them.')

export const isEditor = (person: WebPerson, workspace: string): boolean =>
  accessTo(EDITORS, person).workspaces.includes(workspace)

/** @throws {Fault} `forbidden` */
export const requireEditor = (person: WebPerson, workspace: string): void => {
  if (!isEditor(person, workspace)) throw notEditor(person)
}

/**
 * Returns the workspaces, or the one that is named, where the person is an editor or admin.
 * @throws {Fault} `forbidden` where they see some and are neither
 */
export const requireEditorOf = (person: WebPerson, access: Access, named: string | undefined): string[] => {
  const seen = named === undefined ? visibleWorkspaces(person) : requireVisibleIds(person, [named])
  const workspaces = access.workspaces.filter((id) => seen.includes(id))
  if (seen.length > 0 && workspaces.length === 0) throw notEditor(person)
  return workspaces
}
