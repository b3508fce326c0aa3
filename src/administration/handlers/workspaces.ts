/** Handlers: workspaces. */
import type { WorkspaceEntry } from '../../db/planning/sql-workspace-directory.js'
import type { WebPerson } from '../permission.js'
import type { HandlersOf } from '../handler.js'
import type { workspacesOperations } from '../operations/workspaces.js'
import { requireKnownWorkspace, requireReachedWorkspace } from '../visible-workspaces.js'
import type { PageDeps } from '../page-deps.js'

/** Returns the handlers by method and path. */
export const workspacesHandlers = (
  { web }: Pick<PageDeps, 'web'>
): HandlersOf<typeof workspacesOperations, `${string} /workspaces${string}` & keyof typeof workspacesOperations> => ({
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
  }
})

const workspaceView = ({ description, ...workspace }: WorkspaceEntry, { serverAdmin }: WebPerson) => ({
  ...workspace,
  ...(description !== null && { description }),
  may_administer: serverAdmin || workspace.role === 'admin'
})
