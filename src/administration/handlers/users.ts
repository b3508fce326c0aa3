/** Handlers: people and service accounts by the command line, and links that sign a person in. */
import { USER_CREATED, SIGN_IN_LINK_CREATED } from '../audit-actions.js'
import { Refusal } from '../../lib/errors.js'
import type { Handlers } from '../handler.js'
import type { usersOperations } from '../operations/users.js'
import type { ManagementPorts } from '../ports.js'

/** Returns the handlers by method and path. The removal of the last server administrator is a `Refusal`. */
export const usersHandlers = (
  { directory, signInLinks, pages }: Pick<ManagementPorts, 'directory' | 'signInLinks' | 'pages'>
): Handlers<typeof usersOperations> => ({
  'POST /users': async ({ body: { server_admin: serverAdmin, ...user }, actor, record }) => {
    const created = await directory.createUser({ ...user, serverAdmin, by: actor })
    if (created.kind === 'person') {
      await record(USER_CREATED, { user_id: created.id })
      if (serverAdmin) await record('user/made server administrator', { user_id: created.id })
    }
    return created
  },

  'GET /users': async () => ({ users: await directory.listUsers() }),

  'PATCH /users/:user': async ({ params: { user }, body: { server_admin: serverAdmin, active }, record }) => {
    const changed = await directory.changeUser({ user, serverAdmin, active })
    const about = { user_id: changed.id }
    if (serverAdmin !== undefined) {
      await record(serverAdmin ? 'user/made server administrator' : 'user/no server administrator any more', about)
    }
    if (active !== undefined) await record(active ? 'user/activated' : 'user/deactivated', about)
    return changed
  },

  'POST /users/:user/sign-out': async ({ params: { user }, body: { passkeys }, record }) => {
    const ended = await directory.signOut({ user, passkeys })
    await record(passkeys ? 'user/signed out, passkeys removed' : 'user/signed out', { user_id: ended.user.id })
    return ended
  },

  'POST /sign-in-links': async ({ body, record }) => {
    if (pages === 'off') {
      throw new Refusal('The running server has no web application: start it without WEB=off.', 'conflict')
    }
    const link = await signInLinks.create(body.user)
    await record(SIGN_IN_LINK_CREATED, { user_id: link.user.id })
    return { ...link, base: pages?.() ?? null }
  }
})
