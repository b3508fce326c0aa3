/** Invitations, for server administrators. */
import type { FastifyInstance } from 'fastify'
import { pagesUrlOf } from '../../http/server-address.js'
import type { accountOperations } from '../api/operations/account.js'
import type { AccountHandlers } from './account-routes.js'
import { requireServerAdmin } from '../session/request-session.js'
import type { WebDeps } from '../web-deps.js'

type Key = Extract<keyof typeof accountOperations, `${string} /invitations${string}`>

export const invitationHandlers = (
  app: FastifyInstance, { config, ports: { invitations } }: WebDeps
): AccountHandlers<Pick<typeof accountOperations, Key>> => ({
  'GET /invitations': async ({ query, request }) => {
    requireServerAdmin(request)
    const { items, ...rest } = await invitations.list(query)
    return { invitations: items, ...rest }
  },

  'POST /invitations': async ({ body: { email, server_admin: serverAdmin, memberships }, request, note }) => {
    const { user } = requireServerAdmin(request)
    const { invitation, token } = await invitations.create({ email, serverAdmin, memberships, invitedBy: user.id })
    note({ target: invitation.id })
    // In the fragment the token reaches no log and no preview of the link.
    return { ...invitation, url: `${pagesUrlOf(app, config)}/sign-in#invitation=${token}` }
  },

  'DELETE /invitations/:id': async ({ params: { id }, request, note }) => {
    requireServerAdmin(request)
    note({ target: id })
    return await invitations.revoke(id)
  }
})
