/** Changes the role of a person or a service account in a workspace. */
import { pathOf } from '../api/call.js'
import { requestJson } from '../api/request.js'
import type { Role } from '../../../access/sign-in/oidc-identities.js'

/**
 * Gives a role, or takes the membership away without one.
 * @param user - a user's id or e-mail address
 * @throws {RequestError} with a sentence to show
 */
export const setMembership = async (user: string, workspace: string, role: Role | undefined): Promise<void> => {
  const path = pathOf('PUT /people/:id/memberships/:workspace', { id: user, workspace })
  if (role === undefined) await requestJson('DELETE', path)
  else await requestJson('PUT', path, { body: { role } })
}
