/** Workspaces and their members. */
import membership from '#schemas/web/membership.json' with { type: 'json' }
import membershipPath from '#schemas/web/membership_path.json' with { type: 'json' }
import membershipRole from '#schemas/web/membership_role.json' with { type: 'json' }
import newWorkspace from '#schemas/web/new_workspace.json' with { type: 'json' }
import workspace from '#schemas/web/workspace.json' with { type: 'json' }
import workspaceChange from '#schemas/web/workspace_change.json' with { type: 'json' }
import workspaceMembers from '#schemas/web/workspace_members.json' with { type: 'json' }
import workspacePath from '#schemas/web/workspace_path.json' with { type: 'json' }
import workspaceWriters from '#schemas/web/workspace_writers.json' with { type: 'json' }
import workspaces from '#schemas/web/workspaces.json' with { type: 'json' }
import workspacesQuery from '#schemas/web/workspaces_query.json' with { type: 'json' }
import { row, tagged } from '../operation.js'
import { MEMBERS, OPERATOR, SERVER_ADMINS, WORKSPACE_ADMINS, WORKSPACE_ADMINS_OR_OPERATOR } from '../permission.js'

export const workspacesOperations = tagged('workspaces', {
  'GET /workspaces': row('listWorkspaces', 'Workspaces', MEMBERS, { query: workspacesQuery, response: workspaces }),
  'GET /admin/workspaces': row('listAllWorkspaces', 'All workspaces, archived ones too', OPERATOR,
    { response: workspaces }),
  'POST /workspaces': row('createWorkspace', 'Create a workspace', SERVER_ADMINS,
    { body: newWorkspace, response: workspace, status: 201 }),
  // An admin of the workspace may change `agents` alone.
  'PATCH /workspaces/:id': row('updateWorkspace',
    'Decide what agents may do in a workspace; rename or archive it', WORKSPACE_ADMINS_OR_OPERATOR,
    { audit: ['workspace/changed'], params: workspacePath, body: workspaceChange, response: workspace }),
  'GET /workspaces/:id/writers': row('listWriters',
    'Credentials that write in a workspace once it lets agents', WORKSPACE_ADMINS_OR_OPERATOR,
    { params: workspacePath, response: workspaceWriters }),
  'GET /workspaces/:id/members': row('listMembers', 'Members of a workspace', WORKSPACE_ADMINS,
    { params: workspacePath, response: workspaceMembers }),
  'PUT /people/:id/memberships/:workspace': row('setMembership',
    'Add a member or change a role', WORKSPACE_ADMINS_OR_OPERATOR,
    { audit: ['membership/set'], params: membershipPath, body: membershipRole, response: membership }),
  'DELETE /people/:id/memberships/:workspace': row('removeMembership', 'Remove a member', WORKSPACE_ADMINS_OR_OPERATOR,
    { audit: ['membership/removed'], params: membershipPath, response: membership })
})
