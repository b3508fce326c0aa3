/** Signing in by a link, a passkey or an invitation, who is signed in, and signing out. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { capsOf, type Caps } from '../../access/limits/rate-limit.js'
import type { BodyOf } from '../../administration/operation.js'
import { signInOperations } from '../../administration/operations/sign-in.js'
import { rolesSentence } from '../../administration/role-words.js'
import { routeOf } from '../../administration/operation-routes.js'
import type { Config } from '../../config/config.js'
import { SERVER } from '../../config/server-info.js'
import { endpointOf, pagesUrlOf } from '../../http/server-address.js'
import { signInCommand } from '../../http/shown-command.js'
import { Fault } from '../../lib/errors.js'
import { describeScope, SCOPES } from '../../planning/scope-words.js'
import { recordAction } from '../audit.js'
import { SIGN_IN_PATH } from '../page-paths.js'
import { ownOrigin } from '../session/request-guard.js'
import { requireSession } from '../session/request-session.js'
import { startSession, type SignedIn } from '../session/start-session.js'
import type { WebDeps } from '../web-deps.js'
import { OIDC_START_PATH } from './oidc-routes.js'
import type { SignInWays } from './sign-in-ways.js'

type Bodies = { [Key in keyof typeof signInOperations]: BodyOf<typeof signInOperations[Key]> }

// One sentence for every reason, also for a passkey that no one has: a guess learns nothing from it.
const WRONG = {
  invitation: 'This invitation does not work: it was accepted or revoked, is older than seven days, or was not ' +
    'copied whole. Ask the person who invited you for another.',
  passkey: 'This passkey does not work here: it was removed, is of another address, or took longer than five ' +
    'minutes. Try again, or sign in another way.',
  link: 'This link does not work: it was used, is older than 15 minutes, or was not copied whole. Make another: '
}

export const signInRoutes = (
  app: FastifyInstance, deps: WebDeps, { verifier, hasPasskeys, oidc, countSignIn }: SignInWays
): void => {
  const { config, ports: { sessions, passkeys, invitations, signInLinks, audit } } = deps
  const access = accessWords(config)
  const add = <Key extends keyof Bodies>(
    key: Key,
    handler: (request: FastifyRequest, reply: FastifyReply, body: Bodies[Key]) => Promise<object>,
    options: object = {}
  ): void => {
    app.route({
      ...routeOf(signInOperations, key),
      ...options,
      // The schema of the operation has checked the body.
      handler: (request, reply) => handler(request, reply, request.body as Bodies[Key])
    })
  }
  const attempt = { config: { signIn: true }, onRequest: countSignIn }
  const refuse = (way: keyof typeof WRONG): never => {
    throw new Fault('unauthorized', WRONG[way] + (way === 'link' ? signInCommand(config) : ''))
  }
  const start = async (request: FastifyRequest, reply: FastifyReply, signedIn: SignedIn) => {
    const session = await startSession(deps, request, reply, signedIn)
    return session ? { user: session.user, first: session.first } : undefined
  }

  add('GET /sign-in-options', async ({ web }) => ({
    ...(web && { user: web.user }),
    passkeys: hasPasskeys(),
    oidc: oidc ? { name: oidc.settings.name, start_url: OIDC_START_PATH } : null,
    link_command: signInCommand(config)
  }))

  add('POST /sign-in/link/lookup', async (_request, _reply, { token }) =>
    ({ user: await signInLinks.find(token) ?? refuse('link') }), attempt)

  add('POST /sign-in/link', async (request, reply, { token }) => {
    const userId = await signInLinks.redeem(token)
    return (userId === undefined ? undefined : await start(request, reply, { userId, method: 'link' })) ??
      refuse('link')
  }, attempt)

  // No name is typed: the browser offers the passkeys that it has for this host.
  add('POST /sign-in/passkey/options', () => verifier.signInOptions(), attempt)

  add('POST /sign-in/passkey', async (request, reply, { response }) => {
    const passkey = await verifier.verifySignIn(response, ownOrigin(request, config.publicUrl))
    return (passkey && await start(request, reply, {
      userId: passkey.userId, method: 'passkey', passkeyId: passkey.id
    })) ?? refuse('passkey')
  }, attempt)

  // Anyone who has its link becomes the person that it was made for.
  add('POST /invitations/lookup', async (_request, _reply, { token }) => {
    const invitation = await invitations.find(token) ?? refuse('invitation')
    return {
      email: invitation.email,
      invited_by: invitation.invited_by?.name ?? null,
      expires_at: invitation.expires_at,
      workspaces: invitation.memberships.map(({ workspace: { name }, role }) => ({ name, role }))
    }
  }, attempt)

  add('POST /sign-in/invitation', async (request, reply, { token, name }) => {
    const userId = await invitations.accept(token, name.trim()) ?? refuse('invitation')
    await recordAction(audit, request, 'invitation/accepted', { user_id: userId })
    return await start(request, reply, { userId, method: 'invitation' }) ?? refuse('invitation')
  }, attempt)

  add('GET /session', async (request) => {
    const { user, serverAdmin, memberships, method, preferences: { theme, timeZone } } = requireSession(request)
    const pages = pagesUrlOf(app, config)
    return {
      user,
      server_admin: serverAdmin,
      memberships,
      method,
      passkey_count: (await passkeys.list(user.id)).length,
      server: {
        name: SERVER.name,
        version: SERVER.version,
        endpoint: endpointOf(app, config) ?? `${pages}/mcp`,
        public_url: pages
      },
      preferences: { theme, time_zone: timeZone },
      access
    }
  })

  // Signing out works without a session too: the browser then has none afterwards, as it asked.
  add('DELETE /session', async (request, reply) => {
    const secret = app.sessionCookie.read(request)
    app.sessionCookie.clear(reply)
    const endedSession = secret === undefined ? undefined : await sessions.signOut(secret)
    if (endedSession) await recordAction(audit, request, 'session/ended sign-out', { user_id: endedSession.userId })
    if (endedSession?.idToken === undefined || !oidc) return {}
    const base = config.publicUrl ?? ownOrigin(request, undefined)
    // The session here is over in any case, also when the provider does not answer.
    const url = await oidc.client.signOutUrl(endedSession.idToken, `${base}${SIGN_IN_PATH}`).catch((error: unknown) => {
      request.log.warn({ err: error }, 'the provider was not asked for its sign-out')
      return undefined
    })
    return url ? { redirect_to: url.href } : {}
  })
}

/** What scopes and roles allow with this configuration. The limits of a token are the same with every scope. */
const accessWords = (config: Config) => {
  const { pat, ...caps } = capsOf(config)
  return {
    scopes: SCOPES.map((scope) => {
      const tools = describeScope(scope)
      return { scope, key: `${tools}. ${limitText(caps[scope])}`, token: `${tools}. ${limitText(pat)}` }
    }),
    roles: rolesSentence()
  }
}

const limitText = ({ minute, day }: Caps): string =>
  `${minute.toLocaleString('en-US')} calls a minute, ${day.toLocaleString('en-US')} a day`
