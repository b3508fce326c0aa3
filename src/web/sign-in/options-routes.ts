/** The ways to sign in at this server. */
import type { FastifyInstance } from 'fastify'
import { signInOperations } from '../api/operations/sign-in.js'
import { routeOf } from '../api/route-of.js'
import type { RelyingParty } from './relying-party.js'

export interface SignInOptions {
  relyingParty (): RelyingParty
}

export const optionsRoutes = (app: FastifyInstance, { relyingParty }: SignInOptions): void => {
  app.route({
    ...routeOf(signInOperations, 'GET /sign-in-options'),
    config: { session: false },
    handler: async () => ({ passkeys: relyingParty().isUsable, oidc: null })
  })
}
