/** Handlers: invitations. The permissions let server administrators only come here. */
import type { HandlersOf } from '../handler.js'
import type { accountOperations } from '../operations/account.js'
import type { PageDeps } from '../page-deps.js'

type InvitationOperation = Extract<keyof typeof accountOperations, `${string} /invitations${string}`>

/** Returns the handlers by method and path. */
export const invitationsHandlers = (
  { invitations, pagesUrl }: Pick<PageDeps, 'invitations' | 'pagesUrl'>
): HandlersOf<typeof accountOperations, InvitationOperation> => ({
  'GET /invitations': async ({ query }) => {
    const { items, ...rest } = await invitations.list(query)
    return { invitations: items, ...rest }
  },

  'POST /invitations': async ({ body: { email, server_admin: serverAdmin, memberships }, person: { user }, note }) => {
    const { invitation, token } = await invitations.create({ email, serverAdmin, memberships, invitedBy: user.id })
    note({ target: `${invitation.id} ${email}` })
    // In the fragment the token reaches no log and no preview of the link.
    return { ...invitation, url: `${pagesUrl()}/sign-in#invitation=${token}` }
  },

  'DELETE /invitations/:id': async ({ params: { id }, note }) => {
    note({ target: id })
    const revoked = await invitations.revoke(id)
    note({ target: `${id} ${revoked.email}` })
    return revoked
  }
})
