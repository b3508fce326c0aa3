/** Handlers: workspaces and their members. */
import { Refusal } from '../../../lib/errors.js'
import type { WorkspaceEntry } from '../../../db/planning/sql-workspace-directory.js'
import type { WebPerson } from '../../permissions.js'
import type { Handlers } from '../handler.js'
import type { workspacesOperations } from '../operations/workspaces.js'
import { requireKnownWorkspace, requireReachedWorkspace } from '../visible-workspaces.js'
import type { WebApiDeps } from '../web-api-deps.js'

/** Returns the handlers by method and path. */
export const workspacesHandlers = ({ directory, web }: WebApiDeps): Handlers<typeof workspacesOperations> => ({
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

  'PATCH /workspaces/:id': async ({ params: { id }, body, person, note }) => {
    const { id: workspaceId } = await requireKnownWorkspace(web.workspaces, person, id)
    const what = body.archived === undefined ? Object.keys(body).join(' ') : body.archived ? 'archive' : 'restore'
    note({ workspace_id: workspaceId, target: what })
    return workspaceView(await web.workspaces.change(workspaceId, body, person.user.id), person)
  },

  'GET /workspaces/:id/members': async ({ params: { id }, person, access }) => {
    const workspace = await requireReachedWorkspace(web.workspaces, person, access, id)
    return { members: await web.workspaces.members(workspace.id) }
  },

  'PUT /people/:id/memberships/:workspace': async ({ params, body: { role }, person, access, note }) => {
    const { id, workspace: name } = params
    const workspace = await requireReachedWorkspace(web.workspaces, person, access, name)
    note({ workspace_id: workspace.id, target: role })
    const member = await directory.findUser(id).catch(refuseUnknownUser)
    note({ target: `${member.id} ${role}` })
    return directory.addMember({ user: member.id, workspace: workspace.id, role })
  },

  'DELETE /people/:id/memberships/:workspace': async ({ params: { id, workspace: name }, person, access, note }) => {
    const workspace = await requireReachedWorkspace(web.workspaces, person, access, name)
    note({ workspace_id: workspace.id })
    const member = (await web.workspaces.members(workspace.id))
      .find(({ user }) => user.id === id.toLowerCase() || user.email.toLowerCase() === id.toLowerCase())
    if (!member) throw new Refusal('This workspace has no such member.', 'not_found')
    note({ target: member.user.id })
    return directory.removeMember({ user: member.user.id, workspace: workspace.id })
  }
})

/** Names what a page can offer; the sentence of the port is for the command line. */
const refuseUnknownUser = (error: unknown): never => {
  if (error instanceof Refusal && error.reason === 'not_found') {
    throw new Refusal('There is nobody with this address. Ask a server administrator to invite them.', 'not_found')
  }
  throw error
}

const workspaceView = ({ description, ...workspace }: WorkspaceEntry, { serverAdmin }: WebPerson) => ({
  ...workspace,
  ...(description !== null && { description }),
  may_administer: serverAdmin || workspace.role === 'admin'
})
