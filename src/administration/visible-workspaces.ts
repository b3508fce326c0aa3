/**
 * Which workspaces a person sees, and which they may name to administer them. A session reads its memberships by the
 * definition that credentials have (src/db/planning/seen-workspaces.ts), so that pages show what agents get.
 */
import { forbidden, Refusal, type Fault } from '../lib/errors.js'
import type { WorkspaceDirectory, WorkspaceEntry } from '../db/planning/sql-workspace-directory.js'
import { accessTo, EDITORS, type Access, type WebPerson } from './permission.js'

type NamedWorkspace = Pick<WorkspaceEntry, 'id' | 'slug' | 'name'>

/** Ids of the workspaces whose records the person sees, or of the named one; also of a server administrator. */
export const visibleWorkspaces = (person: WebPerson, named?: string): string[] => named === undefined
  ? person.memberships.map(({ workspace }) => workspace.id)
  : requireVisibleIds(person, [named])

const unknownWorkspace = (name: string, isOperator = false): Refusal =>
  new Refusal(`There is no workspace ${JSON.stringify(name.slice(0, 64))}` + (isOperator
    ? '. "workspaces list" shows which there are.'
    : ', or you are not a member of it. An admin of the workspace can add you.'), 'not_found')

/** @throws {Refusal} `not_found` for the first that the person does not see */
export const requireVisibleIds = ({ memberships }: WebPerson, names: readonly string[]): string[] =>
  [...new Set(names.map((name) => {
    const membership = memberships.find(({ workspace: { id, slug } }) => slug === name || id === name.toLowerCase())
    if (!membership) throw unknownWorkspace(name)
    return membership.workspace.id
  }))]

/**
 * Returns the function that names the workspaces that a credential is limited to, of those that the person may know:
 * those that they see, and for an administrator and the operator all. It returns null for a credential without limit.
 */
export const nameLimits = async (
  workspaces: WorkspaceDirectory, person: WebPerson | undefined,
  credentials: ReadonlyArray<{ workspace_ids: readonly string[] | null }>
): Promise<(ids: readonly string[] | null) => NamedWorkspace[] | null> => {
  const isAny = credentials.some(({ workspace_ids: ids }) => ids !== null)
  const known: readonly NamedWorkspace[] = !isAny
    ? []
    : !person || person.serverAdmin
        ? await workspaces.list(person?.user.id, { others: true, archived: true })
        : person.memberships.map(({ workspace }) => workspace)
  return (ids) => ids && known.filter(({ id }) => ids.includes(id)).map(({ id, slug, name }) => ({ id, slug, name }))
}

/**
 * Returns the workspace of an id or slug. The operator knows every one.
 * @throws {Refusal} `not_found` when there is none or the person does not know it; an archived one is known to server
 * administrators only
 */
export const requireKnownWorkspace = async (
  workspaces: WorkspaceDirectory, person: WebPerson | undefined, name: string
): Promise<WorkspaceEntry> => {
  const entry = await workspaces.find(name, person?.user.id)
  const known = !person || person.serverAdmin || person.memberships.some(({ workspace }) => workspace.id === entry?.id)
  if (!entry || !known) throw unknownWorkspace(name, !person)
  return entry
}

/**
 * Returns the workspace when the person, or the operator, reaches it with the operation.
 * @throws {Refusal} `not_found` when the person does not know it
 * @throws {Fault} `forbidden` when they see it and their role is not enough
 */
export const requireReachedWorkspace = async (
  workspaces: WorkspaceDirectory, person: WebPerson | undefined, { all, workspaces: reach }: Access, name: string
): Promise<WorkspaceEntry> => {
  const entry = await requireKnownWorkspace(workspaces, person, name)
  if (all || reach.includes(entry.id)) return entry
  throw forbidden('Only an admin of this workspace may do this.', 'Ask one of them.')
}

const notEditor = ({ user: { email } }: WebPerson): Fault =>
  forbidden(`Only an editor or admin of the workspace may do this: ${email} is neither.`, 'Ask one of them.')

export const isEditor = (person: WebPerson, workspace: string): boolean =>
  accessTo(EDITORS, person).workspaces.includes(workspace)

/** @throws {Fault} `forbidden` */
export const requireEditor = (person: WebPerson, workspace: string): void => {
  if (!isEditor(person, workspace)) throw notEditor(person)
}

/** @throws {Fault} `forbidden` where the person sees some workspaces and is neither editor nor admin of any */
export const requireEditorOf = (person: WebPerson, access: Access, named: string | undefined): string[] => {
  const seen = visibleWorkspaces(person, named)
  const workspaces = access.workspaces.filter((id) => seen.includes(id))
  if (seen.length > 0 && workspaces.length === 0) throw notEditor(person)
  return workspaces
}
