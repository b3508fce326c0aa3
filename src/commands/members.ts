/** `members add`, `members remove` */
import type { Membership } from '../planning/records.js'
import { harmless, print } from './print.js'
import type { Run } from './command-handler.js'
import { withManagement } from './with-management.js'

interface Member { user: string, workspace: string }

export const add: Run<Member & { role: Membership['role'] }> = async ({ user, workspace, role, json }, surroundings, flags) => {
  const membership = await withManagement(surroundings, flags, (api) =>
    api.call<Membership>('POST', '/memberships', { body: { user, workspace, role } }))
  print({ ...surroundings, json }, membership, `${harmless(user)} is ${membership.role} of ${harmless(workspace)}.`)
}

export const remove: Run<Member> = async ({ user, workspace, json }, surroundings, flags) => {
  const membership = await withManagement(surroundings, flags, (api) =>
    api.call<Membership>('DELETE', '/memberships', { query: { user, workspace } }))
  print({ ...surroundings, json }, membership, `${harmless(user)} is no member of ${harmless(workspace)} any more.`)
}
