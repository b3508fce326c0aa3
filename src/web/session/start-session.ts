/** Starts a session after a sign-in: always a new one, and the one that the browser had before ends. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WebSessions } from '../../db/sign-in/sql-web-sessions.js'
import { clientAddress } from '../../lib/http/client-address.js'
import { recordAction } from '../audit.js'
import type { WebDeps } from '../web-deps.js'

export type SignedIn = Omit<Parameters<WebSessions['start']>[0], 'remoteAddress' | 'userAgent'>

/** Undefined, with nothing done, when the user may not sign in: unknown, deactivated or a service account. */
export const startSession = async (
  { ports: { sessions, audit } }: Pick<WebDeps, 'ports'>, request: FastifyRequest, reply: FastifyReply,
  signedIn: SignedIn
): ReturnType<WebSessions['start']> => {
  const cookie = request.server.sessionCookie
  const session = await sessions.start({
    ...signedIn, remoteAddress: clientAddress(request.ip), userAgent: request.headers['user-agent']
  })
  if (!session) return undefined
  const before = cookie.read(request)
  if (before !== undefined) await sessions.signOut(before)
  await recordAction(audit, request, `session/started ${signedIn.method}`, { user_id: session.user.id })
  cookie.write(reply, session.secret)
  return session
}
