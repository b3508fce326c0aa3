/** `members add`, `members remove`: manage the members of workspaces. */
import type { Membership } from '../../planning/records.js'
import { managed } from '../managed.js'
import { stripControlChars } from '../print/print.js'

interface Member { user: string, workspace: string }

/**
 * Adds a member or changes the role of one.
 * @throws {Refusal} for an unknown user or workspace
 */
export const add = managed(
  (api, { user, workspace, role }: Member & { role: Membership['role'] }) =>
    api.call('PUT /people/:id/memberships/:workspace', { params: { id: user, workspace }, body: { role } }),
  ({ role }, { user, workspace }) => `${stripControlChars(user)} is ${role} of ${stripControlChars(workspace)}.`
)

/**
 * Removes a member.
 * @throws {Refusal} when the user is not a member
 */
export const remove = managed(
  (api, { user, workspace }: Member) =>
    api.call('DELETE /people/:id/memberships/:workspace', { params: { id: user, workspace } }),
  (_, { user, workspace }) => `${stripControlChars(user)} is no member of ${stripControlChars(workspace)} any more.`
)
