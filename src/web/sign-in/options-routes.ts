/** The ways to sign in at this server. */
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config/config.js'
import { signInCommand } from '../../http/shown-command.js'
import { signInOperations } from '../../administration/operations/sign-in.js'
import { routeOf } from '../../administration/operation-routes.js'
import { OIDC_START_PATH } from './oidc-routes.js'
import type { OidcSettings } from './oidc-settings.js'
import type { RelyingParty } from './relying-party.js'

export interface SignInDeps {
  config: Config
  relyingParty (): RelyingParty
  /** Undefined without a provider. */
  oidc: OidcSettings | undefined
}

/** Registers `GET /sign-in-options`. */
export const optionsRoutes = (app: FastifyInstance, { config, relyingParty, oidc }: SignInDeps): void => {
  app.route({
    ...routeOf(signInOperations, 'GET /sign-in-options'),
    handler: async ({ web }) => ({
      ...(web && { user: web.user }),
      passkeys: relyingParty().isUsable,
      oidc: oidc ? { name: oidc.name, start_url: OIDC_START_PATH } : null,
      link_command: signInCommand(config)
    })
  })
}
