/** Handlers: workspaces, and who may do what in which. */
import type { WorkspaceEntry, WorkspaceWriter } from '../../db/planning/sql-workspace-directory.js'
import { forbidden, Refusal } from '../../lib/errors.js'
import type { WebPerson } from '../permission.js'
import type { Handlers } from '../handler.js'
import type { workspacesOperations } from '../operations/workspaces.js'
import { markInvisible } from '../views/mark-invisible.js'
import { requireReachedWorkspace } from '../visible-workspaces.js'
import type { ManagementPorts } from '../ports.js'

export const workspacesHandlers = (
  { directory, api: { workspaces } }: Pick<ManagementPorts, 'directory' | 'api'>
): Handlers<typeof workspacesOperations> => ({
  'GET /workspaces': async ({ query: { archived, others }, person, access: { all } }) => {
    const include = { others: all && others === 'include', archived: all && archived === 'include' }
    const entries = await workspaces.list(person.user.id, include)
    return { workspaces: entries.map((workspace) => workspaceView(workspace, person)) }
  },

  'GET /admin/workspaces': async () => {
    const entries = await workspaces.list(undefined, { others: true, archived: true })
    return { workspaces: entries.map((workspace) => workspaceView(workspace, undefined)) }
  },

  'POST /workspaces': async ({ body, person, note }) => {
    const workspace = await workspaces.create(body, person.user.id)
    note({ workspace_id: workspace.id })
    return workspaceView(workspace, person)
  },

  'PATCH /workspaces/:id': async ({ params: { id }, body, person, access, note }) => {
    const { id: workspaceId } = await requireReachedWorkspace(workspaces, person, access, id)
    const fields = Object.keys(body)
    const target = fields.map((field) => wordOf(field, body)).join(' ')
    note({ workspace_id: workspaceId, target })
    if (!access.all && fields.some((field) => field !== 'agents')) {
      throw forbidden('Only a server administrator may rename or archive a workspace.', 'Ask one of them.')
    }
    const { gains, ...changed } = await workspaces.change(workspaceId, body, person?.user.id)
    return { ...workspaceView(changed, person), ...gains && { gains: writersView(gains, person) } }
  },

  'GET /workspaces/:id/writers': async ({ params: { id }, person, access }) => {
    const workspace = await requireReachedWorkspace(workspaces, person, access, id)
    return { writers: writersView(await workspaces.writers(workspace.id), person) }
  },

  'GET /workspaces/:id/members': async ({ params: { id }, person, access }) => {
    const workspace = await requireReachedWorkspace(workspaces, person, access, id)
    return { members: await workspaces.members(workspace.id) }
  },

  'PUT /people/:id/memberships/:workspace': async (
    { params: { id, workspace: name }, body: { role }, person, access, note }
  ) => {
    if (!person) {
      const member = await directory.addMember({ user: id, workspace: name, role })
      note({ target: role, user_id: member.user_id, workspace_id: member.workspace_id })
      return member
    }
    const workspace = await requireReachedWorkspace(workspaces, person, access, name)
    note({ workspace_id: workspace.id, target: role })
    const member = await directory.findUser(id).catch(refuseUnknownUser)
    note({ target: `${member.id} ${role}` })
    return directory.addMember({ user: member.id, workspace: workspace.id, role })
  },

  'DELETE /people/:id/memberships/:workspace': async (
    { params: { id, workspace: name }, person, access, note }
  ) => {
    if (!person) {
      const member = await directory.removeMember({ user: id, workspace: name })
      note({ user_id: member.user_id, workspace_id: member.workspace_id })
      return member
    }
    const workspace = await requireReachedWorkspace(workspaces, person, access, name)
    note({ workspace_id: workspace.id })
    const member = (await workspaces.members(workspace.id))
      .find(({ user }) => user.id === id.toLowerCase() || user.email.toLowerCase() === id.toLowerCase())
    if (!member) throw new Refusal('This workspace has no such member.', 'not_found')
    note({ target: member.user.id })
    return directory.removeMember({ user: member.user.id, workspace: workspace.id })
  }
})

/** Names what a page can offer; the sentence of the port is for the command line. */
const refuseUnknownUser = (error: unknown): never => {
  if (error instanceof Refusal && error.reason === 'not_found') {
    throw new Refusal('There is no one with this address. Ask a server administrator to invite them.', 'not_found')
  }
  throw error
}

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
