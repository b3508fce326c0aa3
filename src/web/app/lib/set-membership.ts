/** Changes the role of a person or a service account in a workspace. */
import { call } from '../api/call.js'
import type { Role } from '../../../access/sign-in/oidc-identities.js'

/**
 * Gives a role, or takes the membership away without one.
 * @param user - a user's id or e-mail address
 * @throws {RequestError} with a sentence to show
 */
export const setMembership = async (user: string, workspace: string, role: Role | undefined): Promise<unknown> => {
  const params = { id: user, workspace }
  return await (role === undefined
    ? call('DELETE /people/:id/memberships/:workspace', { params })
    : call('PUT /people/:id/memberships/:workspace', { params, body: { role } }))
}
