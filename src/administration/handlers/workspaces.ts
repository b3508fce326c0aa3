/** Handlers: workspaces. */
import type { WorkspaceEntry, WorkspaceWriter } from '../../db/planning/sql-workspace-directory.js'
import { forbidden } from '../../lib/errors.js'
import type { WebPerson } from '../permission.js'
import type { HandlersOf } from '../handler.js'
import type { workspacesOperations } from '../operations/workspaces.js'
import { markInvisible } from '../views/mark-invisible.js'
import { requireReachedWorkspace } from '../visible-workspaces.js'
import type { PageDeps } from '../page-deps.js'
import type { ManagementPorts } from '../ports.js'

type Operations = typeof workspacesOperations
type Shared = 'PATCH /workspaces/:id' | 'GET /workspaces/:id/writers'

/** Returns the handlers, by method and path, of those that the pages alone have. */
export const workspacesHandlers = (
  { web }: Pick<PageDeps, 'web'>
): HandlersOf<Operations, Exclude<`${string} /workspaces${string}` & keyof Operations, Shared>> => ({
  'GET /workspaces': async ({ query: { archived, others }, person, access: { all } }) => {
    const include = { others: all && others === 'include', archived: all && archived === 'include' }
    const entries = await web.workspaces.list(person.user.id, include)
    return { workspaces: entries.map((workspace) => workspaceView(workspace, person)) }
  },

  'POST /workspaces': async ({ body, person, note }) => {
    const workspace = await web.workspaces.create(body, person.user.id)
    note({ workspace_id: workspace.id })
    return workspaceView(workspace, person)
  },

  'GET /workspaces/:id/members': async ({ params: { id }, person, access }) => {
    const workspace = await requireReachedWorkspace(web.workspaces, person, access, id)
    return { members: await web.workspaces.members(workspace.id) }
  }
})

/** Returns those that the socket serves too. */
export const sharedWorkspacesHandlers = (
  { web: { workspaces } }: Pick<PageDeps, 'web'>
): HandlersOf<Operations, Shared> => ({
  'PATCH /workspaces/:id': async ({ params: { id }, body, person, access, note, record }) => {
    const { id: workspaceId } = await requireReachedWorkspace(workspaces, person, access, id)
    const fields = Object.keys(body)
    const target = fields.map((field) => wordOf(field, body)).join(' ')
    note({ workspace_id: workspaceId, target })
    if (!access.all && fields.some((field) => field !== 'agents')) {
      throw forbidden('Only a server administrator may rename or archive a workspace.', 'Ask one of them.')
    }
    const { gains, ...changed } = await workspaces.change(workspaceId, body, person?.user.id)
    await record('workspace/changed', { target, workspace_id: workspaceId })
    return { ...workspaceView(changed, person), ...gains && { gains: writersView(gains, person) } }
  },

  'GET /workspaces/:id/writers': async ({ params: { id }, person, access }) => {
    const workspace = await requireReachedWorkspace(workspaces, person, access, id)
    return { writers: writersView(await workspaces.writers(workspace.id), person) }
  }
})

/** Returns the list of the socket. */
export const allWorkspacesHandlers = (
  { api: { workspaces } }: Pick<ManagementPorts, 'api'>
): HandlersOf<Operations, 'GET /admin/workspaces'> => ({
  'GET /admin/workspaces': async () => {
    const entries = await workspaces.list(undefined, { others: true, archived: true })
    return { workspaces: entries.map((workspace) => workspaceView(workspace, undefined)) }
  }
})

/** What the audit log says of a change: never a text. */
const wordOf = (field: string, { archived, agents }: { archived?: boolean, agents?: string }): string => {
  if (field === 'archived') return archived ? 'archive' : 'restore'
  return field === 'agents' ? `agents ${agents}` : field
}

/** A terminal shows names in a way of its own. */
const writersView = (writers: readonly WorkspaceWriter[], person: WebPerson | undefined): WorkspaceWriter[] =>
  writers.map((writer) => ({ ...writer, name: person ? markInvisible(writer.name) : writer.name }))

const workspaceView = ({ description, ...workspace }: WorkspaceEntry, person: WebPerson | undefined) => ({
  ...workspace,
  ...(description !== null && { description }),
  may_administer: !person || person.serverAdmin || workspace.role === 'admin'
})
