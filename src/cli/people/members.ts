/** `members add`, `members remove`: manage the members of workspaces. */
import type { Membership } from '../../planning/records.js'
import { stripControlChars, print } from '../print/print.js'
import type { CommandHandler } from '../command-handler.js'
import { withManagement } from '../with-management.js'

interface Member { user: string, workspace: string }

/**
 * Adds a member or changes the role of one.
 * @throws {Refusal} for an unknown user or workspace
 */
export const add: CommandHandler<Member & { role: Membership['role'] }> = async (
  { user, workspace, role, json }, context, flags
) => {
  const membership = await withManagement(context, flags, (api) =>
    api.call('PUT /people/:id/memberships/:workspace', { params: { id: user, workspace }, body: { role } }))
  print({ ...context, json }, membership, `${stripControlChars(user)} is ${membership.role} of ` +
    `${stripControlChars(workspace)}.`)
}

/**
 * Removes a member.
 * @throws {Refusal} when the user is not a member
 */
export const remove: CommandHandler<Member> = async ({ user, workspace, json }, context, flags) => {
  const membership = await withManagement(context, flags, (api) =>
    api.call('DELETE /people/:id/memberships/:workspace', { params: { id: user, workspace } }))
  print({ ...context, json }, membership, `${stripControlChars(user)} is no member of ` +
    `${stripControlChars(workspace)} any more.`)
}
