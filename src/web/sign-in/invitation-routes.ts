/** Accepting an invitation: anyone who has its link becomes the person that it was made for. */
import type { FastifyInstance } from 'fastify'
import { Fault } from '../../lib/errors.js'
import { signInOperations } from '../../administration/operations/sign-in.js'
import type { BodyOf } from '../../administration/operation.js'
import { routeOf } from '../../administration/operation-routes.js'
import { recordAction } from '../record-action.js'
import { startSession } from '../session/start-session.js'
import type { WebDeps } from '../web-deps.js'
import type { CountSignIn } from './sign-in-limit.js'

// One sentence for every reason: a guess learns nothing from it.
const WRONG = 'This invitation does not work: it was accepted or revoked, is older than seven days, or was not ' +
  'copied whole. ' +
  'Ask the person who invited you for another.'

/** Registers the look-up of an invitation and its acceptance. Each attempt is counted by `countSignIn`. */
export const invitationRoutes = (app: FastifyInstance, deps: WebDeps, countSignIn: CountSignIn): void => {
  const { invitations, audit } = deps.ports

  app.route<{ Body: BodyOf<typeof signInOperations['POST /invitations/lookup']> }>({
    ...routeOf(signInOperations, 'POST /invitations/lookup'),
    config: { signIn: true },
    onRequest: countSignIn,
    handler: async ({ body: { token } }) => {
      const invitation = await invitations.find(token)
      if (!invitation) throw new Fault('unauthorized', WRONG)
      return {
        email: invitation.email,
        invited_by: invitation.invited_by?.name ?? null,
        expires_at: invitation.expires_at,
        workspaces: invitation.memberships.map(({ workspace: { name }, role }) => ({ name, role }))
      }
    }
  })

  app.route<{ Body: BodyOf<typeof signInOperations['POST /sign-in/invitation']> }>({
    ...routeOf(signInOperations, 'POST /sign-in/invitation'),
    config: { signIn: true },
    onRequest: countSignIn,
    handler: async (request, reply) => {
      const { token, name } = request.body
      const userId = await invitations.accept(token, name.trim())
      if (userId === undefined) throw new Fault('unauthorized', WRONG)
      await recordAction(audit, request, 'invitation/accepted', { user_id: userId })
      const session = await startSession(deps, request, reply, { userId, method: 'invitation' })
      if (!session) throw new Fault('unauthorized', WRONG)
      return { user: session.user, first: session.first }
    }
  })
}
