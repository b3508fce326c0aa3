/** Handlers: who may do what in which workspace. */
import { Refusal } from '../../lib/errors.js'
import type { HandlersOf } from '../handler.js'
import type { workspacesOperations } from '../operations/workspaces.js'
import { requireReachedWorkspace } from '../visible-workspaces.js'
import type { PageDeps } from '../page-deps.js'

type MembershipOperation = `${'PUT' | 'DELETE'} /people/:id/memberships/:workspace`

/** Returns the handlers by method and path. For the operator an unknown user is the refusal of the directory. */
export const membershipsHandlers = (
  { directory, web }: Pick<PageDeps, 'directory' | 'web'>
): HandlersOf<typeof workspacesOperations, MembershipOperation> => ({
  'PUT /people/:id/memberships/:workspace': async (
    { params: { id, workspace: name }, body: { role }, person, access, note, record }
  ) => {
    if (!person) {
      const member = await directory.addMember({ user: id, workspace: name, role })
      await record('membership/set', { target: role, user_id: member.user_id, workspace_id: member.workspace_id })
      return member
    }
    const workspace = await requireReachedWorkspace(web.workspaces, person, access, name)
    note({ workspace_id: workspace.id, target: role })
    const member = await directory.findUser(id).catch(refuseUnknownUser)
    note({ target: `${member.id} ${role}` })
    return directory.addMember({ user: member.id, workspace: workspace.id, role })
  },

  'DELETE /people/:id/memberships/:workspace': async (
    { params: { id, workspace: name }, person, access, note, record }
  ) => {
    if (!person) {
      const member = await directory.removeMember({ user: id, workspace: name })
      await record('membership/removed', { user_id: member.user_id, workspace_id: member.workspace_id })
      return member
    }
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
    throw new Refusal('There is no one with this address. Ask a server administrator to invite them.', 'not_found')
  }
  throw error
}
