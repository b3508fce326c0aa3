/** Workspaces and their members. */
import paths from '#schemas/operations/paths.json' with { type: 'json' }
import shapes from '#schemas/operations/workspaces.json' with { type: 'json' }
import { row, tagged } from '../operation.js'
import { MEMBERS, OPERATOR, SERVER_ADMINS, WORKSPACE_ADMINS, WORKSPACE_ADMINS_OR_OPERATOR } from '../permission.js'

export const workspacesOperations = tagged('workspaces', {
  'GET /workspaces': row('listWorkspaces', 'Workspaces', MEMBERS,
    { query: shapes.workspacesQuery, response: shapes.workspaces }),
  'GET /admin/workspaces': row('listAllWorkspaces', 'All workspaces, archived ones too', OPERATOR,
    { response: shapes.workspaces }),
  'POST /workspaces': row('createWorkspace', 'Create a workspace', SERVER_ADMINS,
    { body: shapes.newWorkspace, response: shapes.workspace, status: 201 }),
  // An admin of the workspace may change `agents` alone.
  'PATCH /workspaces/:id': row('updateWorkspace',
    'Decide what agents may do in a workspace; rename or archive it', WORKSPACE_ADMINS_OR_OPERATOR,
    { audit: ['workspace/changed'], params: paths.workspace, body: shapes.change, response: shapes.workspace }),
  'GET /workspaces/:id/writers': row('listWriters',
    'Credentials that write in a workspace once it lets agents', WORKSPACE_ADMINS_OR_OPERATOR,
    { params: paths.workspace, response: shapes.workspaceWriters }),
  'GET /workspaces/:id/members': row('listMembers', 'Members of a workspace', WORKSPACE_ADMINS,
    { params: paths.workspace, response: shapes.workspaceMembers }),
  'PUT /people/:id/memberships/:workspace': row('setMembership',
    'Add a member or change a role', WORKSPACE_ADMINS_OR_OPERATOR,
    { audit: ['membership/set'], params: paths.membership, body: shapes.membershipRole, response: shapes.membership }),
  'DELETE /people/:id/memberships/:workspace': row('removeMembership', 'Remove a member', WORKSPACE_ADMINS_OR_OPERATOR,
    { audit: ['membership/removed'], params: paths.membership, response: shapes.membership })
})
