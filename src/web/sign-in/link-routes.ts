/** Signing in with a link that the command line or the first start printed. */
import type { FastifyInstance } from 'fastify'
import type { FromSchema } from 'json-schema-to-ts'
import signedIn from '#schemas/web/signed_in.json' with { type: 'json' }
import signInToken from '#schemas/web/sign_in_token.json' with { type: 'json' }
import { responses } from '../../api/schemas.js'
import { Fault } from '../../lib/errors.js'
import { startSession } from '../session/start-session.js'
import type { WebDeps } from '../web-deps.js'
import type { CountSignIn } from './sign-in-limit.js'

// One sentence for every reason: a guess learns nothing from it.
const WRONG = 'This link does not work: it was used, is older than 15 minutes, or was not copied whole. ' +
  'Ask for another: exploration-mcp sign-in-link --user YOUR-ADDRESS'

export const linkRoutes = (app: FastifyInstance, deps: WebDeps, countSignIn: CountSignIn): void => {
  app.post<{ Body: FromSchema<typeof signInToken> }>('/sign-in/link', {
    config: { signIn: true },
    onRequest: countSignIn,
    schema: {
      operationId: 'signInByLink',
      summary: 'Sign in with the token of a link',
      tags: ['sign-in'],
      body: signInToken,
      response: responses(200, signedIn)
    }
  }, async (request, reply) => {
    const userId = await deps.ports.signInLinks.redeem(request.body.token)
    const started = userId === undefined ? undefined : await startSession(deps, request, reply, { userId, method: 'link' })
    if (!started) throw new Fault('unauthorized', WRONG)
    return { user: started.user, first: started.first }
  })
}
