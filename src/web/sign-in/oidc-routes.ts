/**
 * Signing in with an OpenID provider: `GET /auth/oidc` leads there, `GET /auth/oidc/callback` comes back. What fails
 * leads to `/sign-in?error=<code>`; the codes are those of `OidcError`.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusalEvent } from '../../access/audit/audit-refusals.js'
import { Fault } from '../../lib/errors.js'
import { recordAction } from '../audit.js'
import { returnPath, type OidcError } from '../page-paths.js'
import { ownOrigin } from '../session/request-guard.js'
import { startSession } from '../session/start-session.js'
import type { WebDeps } from '../web-deps.js'
import type { OidcClaims } from './oidc-client.js'
import { createOidcCookie } from './oidc-cookie.js'
import type { OidcSettings } from './oidc-settings.js'
import type { SignInWays } from './sign-in-ways.js'

class OidcRefusal extends Error {
  constructor (readonly code: OidcError, message: string, cause?: unknown) { super(message, { cause }) }
}

export const OIDC_START_PATH = '/auth/oidc'

const EMAIL = /^[^\s@]+@([^\s@]+)$/
const MAX_EMAIL_LENGTH = 320
const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

export const oidcRoutes = (app: FastifyInstance, deps: WebDeps, { oidc, countSignIn }: SignInWays): void => {
  if (!oidc) return
  const { settings, client } = oidc
  const { config: { publicUrl }, ports: { oidcIdentities, audit } } = deps
  const cookie = createOidcCookie(deps.secrets)
  const baseOf = (request: FastifyRequest): string => publicUrl ?? ownOrigin(request, publicUrl)

  const leadBack = (request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply => {
    const isBusy = error instanceof Fault && error.kind === 'rate_limited'
    const code = error instanceof OidcRefusal ? error.code : isBusy ? 'oidc_busy' : undefined
    if (code === undefined) throw error
    request.log.info({ err: error }, 'a sign-in with the provider failed')
    deps.onDenial(refusalEvent(code === 'oidc_busy' ? 'rate_limited' : 'unauthorized', request))
    return reply.redirect(`${baseOf(request)}/sign-in?error=${code}`, 303)
  }
  const route = (url: string, work: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>): void => {
    app.get(url, async (request, reply) => {
      reply.headers(HEADERS)
      try {
        await countSignIn(request, reply)
        return await work(request, reply)
      } catch (error) {
        return leadBack(request, reply, error)
      }
    })
  }

  route(OIDC_START_PATH, async (request, reply) => {
    const base = baseOf(request)
    const { url, roundTrip } = await client.start(`${base}/auth/oidc/callback`)
      .catch((error: unknown) => { throw new OidcRefusal('oidc_unavailable', 'the provider cannot be reached', error) })
    const { return: path } = request.query as { return?: unknown }
    cookie.write(reply, base, { ...roundTrip, returnTo: returnPath(typeof path === 'string' ? path : undefined) })
    return reply.redirect(url.href, 302)
  })

  route('/auth/oidc/callback', async (request, reply) => {
    const base = baseOf(request)
    const state = cookie.take(request, reply, base)
    if (!state) throw new OidcRefusal('oidc_expired', 'the browser has no sign-in under way')
    const query = request.url.slice(request.url.indexOf('?') + 1)
    const claims = await client.finish(new URL(`${base}/auth/oidc/callback?${query}`), state).catch(refuseAnswer)
    const email = emailOf(claims, settings)
    const outcome = await oidcIdentities.resolve(
      { issuer: claims.issuer, subject: claims.subject, email, name: claims.name ?? email },
      settings.allowedDomains.length > 0 ? { role: settings.defaultRole } : undefined)
    if ('refused' in outcome) throw new OidcRefusal('oidc_not_allowed', `the person is ${outcome.refused}`)
    const { userId, created } = outcome
    if (created) await recordAction(audit, request, 'user/created by provider', { user_id: userId })
    if (settings.groups) {
      if (claims.groups === undefined) request.log.warn({ claim: settings.groups.claim }, 'the provider sent no groups')
      const { changed, unknown } = await oidcIdentities.applyGroups(
        userId, settings.groups.rolesOf(claims.groups ?? [])
      )
      if (unknown.length > 0) {
        request.log.warn({ workspaces: unknown }, 'OIDC_GROUPS_FILE names workspaces that do not exist')
      }
      if (changed) await recordAction(audit, request, 'user/roles by groups', { user_id: userId })
    }
    if (!await startSession(deps, request, reply, { userId, method: 'oidc', idToken: claims.idToken })) {
      throw new OidcRefusal('oidc_not_allowed', 'the person may not sign in')
    }
    return reply.redirect(`${base}${returnPath(state.returnTo)}`, 303)
  })
}

const emailOf = ({ email = '', isEmailVerified }: OidcClaims, { allowedDomains }: OidcSettings): string => {
  const domain = email.length <= MAX_EMAIL_LENGTH ? EMAIL.exec(email)?.[1]?.toLowerCase() : undefined
  if (domain === undefined || !isEmailVerified) {
    throw new OidcRefusal('oidc_email', 'the address is missing or not verified')
  }
  if (allowedDomains.length > 0 && !allowedDomains.includes(domain)) {
    throw new OidcRefusal('oidc_not_allowed', 'the domain of the address is not allowed')
  }
  return email
}

const refuseAnswer = (error: unknown): never => {
  const denied = error instanceof Error && 'error' in error && error.error === 'access_denied'
  throw new OidcRefusal(denied ? 'oidc_denied' : 'oidc_failed', 'the answer of the provider is not valid', error)
}
