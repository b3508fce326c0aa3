/** One's own account: name and preferences, passkeys, sessions. */
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../lib/errors.js'
import type { Handlers } from '../../administration/handler.js'
import type { AccountOperations } from '../../administration/operations/account.js'
import { ownOrigin } from '../session/request-guard.js'
import { requireSession } from '../session/request-session.js'
import type { SignInWays } from '../sign-in/sign-in-ways.js'
import type { WebDeps } from '../web-deps.js'

export const accountHandlers = (
  { config, ports: { accounts, passkeys, sessions } }: WebDeps, { verifier, hasPasskeys, passkeyHost }: SignInWays
): Handlers<AccountOperations> => ({
  'PATCH /account': async ({ body: { name, theme, time_zone: zone }, request }) => {
    const { timeZone, ...changed } = await accounts.change(userOf(request), {
      name: name?.trim(), theme, timeZone: zone
    })
    return { ...changed, time_zone: timeZone }
  },

  'GET /passkeys': async ({ request }) => ({ passkeys: await passkeys.list(userOf(request)) }),

  'POST /passkeys/options': async ({ request }) => {
    if (!hasPasskeys()) {
      throw new Refusal('Browsers make passkeys for https and for localhost only: set PUBLIC_URL to an https ' +
        'address with a name.')
    }
    const { user, sessionId } = requireSession(request)
    return { ...await verifier.creationOptions(sessionId, user, await passkeys.credentialIds(user.id, passkeyHost)) }
  },

  'POST /passkeys': async ({ body: { name, response }, request, note }) => {
    const { user, sessionId } = requireSession(request)
    const verification = await verifier.verifyCreation(sessionId, response, ownOrigin(request, config.publicUrl))
    const created = await passkeys.create({
      ...verification, userId: user.id, name: name.trim(), rpId: passkeyHost
    })
    note({ target: created.id })
    return created
  },

  'PATCH /passkeys/:id': async ({ params: { id }, body: { name }, request, note }) => {
    note({ target: id })
    return await passkeys.rename(userOf(request), id, name.trim())
  },

  'DELETE /passkeys/:id': async ({ params: { id }, request, reply, note }) => {
    note({ target: id })
    await passkeys.remove(userOf(request), id)
    const secret = request.server.sessionCookie.read(request)
    const isSignedOut = secret === undefined || await sessions.find(secret) === undefined
    if (isSignedOut) request.server.sessionCookie.clear(reply)
    return { signed_out: isSignedOut }
  },

  'GET /sessions': async ({ request }) => {
    const { user, sessionId } = requireSession(request)
    const all = await sessions.list(user.id)
    return { sessions: all.map((session) => ({ ...session, current: session.id === sessionId })) }
  },

  'DELETE /sessions/:id': async ({ params: { id }, request, note }) => {
    note({ target: id })
    if (!await sessions.end(userOf(request), id)) throw new Refusal('You have no such session.', 'not_found')
    return { ended: 1 }
  },

  'DELETE /sessions': async ({ request }) => {
    const { user, sessionId } = requireSession(request)
    return { ended: await sessions.endOthers(user.id, sessionId) }
  }
})

const userOf = (request: FastifyRequest): string => requireSession(request).user.id
