/** The ways of signing in that the configuration allows: what their routes share. */
import { isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pagesUrlOf } from '../../http/server-address.js'
import { Fault } from '../../lib/errors.js'
import type { WebDeps } from '../web-deps.js'
import { createOidcClient } from './oidc-client.js'
import { readOidcSettings } from './oidc-settings.js'
import { createPasskeyVerifier } from './passkey-verifier.js'

export type SignInWays = ReturnType<typeof createSignInWays>

export const createSignInWays = (app: FastifyInstance, deps: WebDeps) => {
  const { config, limits } = deps
  const count = limits('sign-in', config.signInsPerMinute)
  const settings = readOidcSettings(config)
  const passkeyHost = config.publicUrl === undefined ? 'localhost' : new URL(config.publicUrl).hostname
  return {
    /** Passkeys of one host do not work for another. */
    passkeyHost,
    verifier: createPasskeyVerifier(passkeyHost, deps, (err) => app.log.info({ err }, 'a passkey was refused')),

    /** Whether passkeys work: browsers want https or localhost, and refuse IP addresses. */
    hasPasskeys (): boolean {
      const { protocol, hostname } = new URL(pagesUrlOf(app, config))
      const isNamed = isIP(hostname.replace(/^\[|\]$/g, '')) === 0
      return isNamed && (protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost'))
    },

    oidc: settings && { settings, client: createOidcClient(settings) },

    /** All ways share one count by address, so that none adds to another. @throws {Fault} `rate_limited` (429) */
    async countSignIn (request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const seconds = await count(request, reply)
      if (seconds === undefined) return
      const message = `Too many attempts to sign in from this address. Try again in ${seconds} seconds.`
      throw new Fault('rate_limited', message)
    }
  }
}
