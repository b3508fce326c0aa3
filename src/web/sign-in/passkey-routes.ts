/** Signing in with a passkey. No name is typed: the browser offers the passkeys that it has for this host. */
import type { FastifyInstance } from 'fastify'
import { Fault } from '../../lib/errors.js'
import { signInOperations } from '../../administration/operations/sign-in.js'
import type { BodyOf } from '../../administration/operation.js'
import { routeOf } from '../../administration/operation-routes.js'
import { ownOrigin } from '../session/request-guard.js'
import { startSession } from '../session/start-session.js'
import type { WebDeps } from '../web-deps.js'
import type { PasskeyVerifier } from './passkey-verifier.js'
import type { CountSignIn } from './sign-in-limit.js'

// One sentence for every reason, also for a passkey that no one has: a guess learns nothing from it.
const WRONG = 'This passkey does not work here: it was removed, is of another address, or took longer than five ' +
  'minutes. ' +
  'Try again, or sign in another way.'

/** Registers the challenge and the sign-in. Each attempt is counted by `countSignIn`. */
export const passkeyRoutes = (
  app: FastifyInstance, deps: WebDeps,
  { verifier, countSignIn }: { verifier: PasskeyVerifier, countSignIn: CountSignIn }
): void => {
  app.route({
    ...routeOf(signInOperations, 'POST /sign-in/passkey/options'),
    onRequest: countSignIn,
    handler: () => verifier.signInOptions()
  })

  app.route<{ Body: BodyOf<typeof signInOperations['POST /sign-in/passkey']> }>({
    ...routeOf(signInOperations, 'POST /sign-in/passkey'),
    config: { signIn: true },
    onRequest: countSignIn,
    handler: async (request, reply) => {
      const passkey = await verifier.verifySignIn(request.body.response, ownOrigin(request, deps.config.publicUrl))
      const session = passkey && await startSession(deps, request, reply, {
        userId: passkey.userId, method: 'passkey', passkeyId: passkey.id
      })
      if (!session) throw new Fault('unauthorized', WRONG)
      return { user: session.user, first: session.first }
    }
  })
}
