/** Signing in with a link that the command line or the first start printed. */
import type { FastifyInstance } from 'fastify'
import { signInCommand } from '../../http/shown-command.js'
import { Fault } from '../../lib/errors.js'
import { signInOperations } from '../../administration/operations/sign-in.js'
import type { BodyOf } from '../../administration/operation.js'
import { routeOf } from '../../administration/operation-routes.js'
import { startSession } from '../session/start-session.js'
import type { WebDeps } from '../web-deps.js'
import type { CountSignIn } from './sign-in-limit.js'

// One sentence for every reason: a guess learns nothing from it.
const wrong = (command: string): string =>
  `This link does not work: it was used, is older than 15 minutes, or was not copied whole. Make another: ${command}`

/** Registers `POST /sign-in/link` and the question whose link it is. Each attempt is counted by `countSignIn`. */
export const linkRoutes = (app: FastifyInstance, deps: WebDeps, countSignIn: CountSignIn): void => {
  const refusal = (): Fault => new Fault('unauthorized', wrong(signInCommand(deps.config)))

  app.route<{ Body: BodyOf<typeof signInOperations['POST /sign-in/link/lookup']> }>({
    ...routeOf(signInOperations, 'POST /sign-in/link/lookup'),
    config: { signIn: true },
    onRequest: countSignIn,
    handler: async ({ body: { token } }) => {
      const user = await deps.ports.signInLinks.find(token)
      if (!user) throw refusal()
      return { user }
    }
  })

  app.route<{ Body: BodyOf<typeof signInOperations['POST /sign-in/link']> }>({
    ...routeOf(signInOperations, 'POST /sign-in/link'),
    config: { signIn: true },
    onRequest: countSignIn,
    handler: async (request, reply) => {
      const userId = await deps.ports.signInLinks.redeem(request.body.token)
      const session = userId === undefined
        ? undefined
        : await startSession(deps, request, reply, {
          userId, method: 'link'
        })
      if (!session) throw refusal()
      return { user: session.user, first: session.first }
    }
  })
}
