/**
 * Authenticates requests by bearer token. Authentication only records the caller: a request without a principal is
 * rejected later, after the rate limit has counted it, so that guessing is limited too.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Credentials, CredentialUse } from './credentials/credentials.js'
import { diagnoseToken } from './credentials/secret.js'
import { Fault } from '../lib/errors.js'
import type { Authentication, UserPrincipal } from '../lib/principal.js'
import { clientAddress } from '../lib/http/client-address.js'
import { headerHint, placeholderHint } from './auth-hints.js'
import { readBearer } from './bearer.js'
import type { LookUp } from './limits/rate-limit.js'

export type AuthenticatedCaller = Authentication<UserPrincipal>

const REMEDY = { missing: headerHint, placeholder: placeholderHint, malformed: () => '' }

const REASONS = { malformed: 'malformed', mistyped: 'mistyped', foreign: 'foreign', unknown: 'invalid' } as const

const DAMAGE_HINTS = {
  cut: 'The credential was cut: its end is missing. Copy the whole of it again, without a line break.',
  lengthened: 'The credential is too long: something stands behind it. Copy it again, alone.',
  lower_case: 'The credential was changed to lower case. Copy it again as it is.',
  mistyped: 'The credential is mistyped: its checksum does not fit. Copy the whole of it again.'
}

const hintFor = (refused: keyof typeof REASONS, secret: string): string => {
  switch (refused) {
    case 'malformed':
      return 'This is no credential of this server: they start with svc_key_ or svc_pat_. ' +
        'Check that the whole of it was copied.'
    case 'mistyped':
      return DAMAGE_HINTS[diagnoseToken(secret)]
    case 'foreign':
      return 'This credential is of another deployment. Use one of this server, ' +
        'or give the client the URL of the server that it is of.'
    case 'unknown':
      return 'The credential is wrong, revoked or expired, or of another deployment. Check the URL; ' +
        'else ask the server\'s operator for a new one, and put it instead of the old.'
  }
}

/**
 * The function resolves with the principal, or with why there is none and a hint for the user, which `moreHint` ends.
 * It throws a `Fault` `invalid_request` for several Authorization headers, and what `lookUp` throws.
 */
export const authenticate = (
  credentials: Pick<Credentials, 'verify'>, moreHint: () => string = () => '', lookUp: LookUp = atOnce
) => async (request: FastifyRequest, reply: FastifyReply): Promise<AuthenticatedCaller> => {
  requireOneAuthorization(request)
  const bearer = readBearer(request.headers.authorization)
  if (!('secret' in bearer)) {
    const hint = `${bearer.hint}${REMEDY[bearer.reason](request.headers['user-agent'])}${moreHint()}`
    return { ...bearer, hint }
  }
  const verification = await lookUp(request, () => credentials.verify(bearer.secret, useOf(request)))
  if ('principal' in verification) {
    announceExpiry(verification.principal, reply)
    return verification
  }
  const { refused } = verification
  return { reason: REASONS[refused], hint: `${hintFor(refused, bearer.secret)}${moreHint()}` }
}

export const atOnce: LookUp = (_request, work) => work()

export const useOf = ({ ip, headers: { 'mcp-session-id': session } }: FastifyRequest): CredentialUse =>
  ({ from: clientAddress(ip), session: typeof session === 'string' ? session : undefined })

/** @throws {Fault} for several Authorization headers: Node reads the first, but a proxy may have checked the last */
export const requireOneAuthorization = ({ raw: { rawHeaders } }: FastifyRequest): void => {
  // Names and values in turn.
  const headerCount = rawHeaders.filter((text, place) => place % 2 === 0 && /^authorization$/i.test(text)).length
  if (headerCount > 1) throw new Fault('invalid_request', `There are ${headerCount} Authorization headers: send one.`)
}

const WARNING_MS = 14 * 86_400_000

/** Sets `Credential-Expires` to an HTTP date when the credential expires within two weeks. */
const announceExpiry = ({ credential: { expires_at: expires, kind } }: UserPrincipal, reply: FastifyReply): void => {
  // A connection goes on as long as it is used.
  if (expires === null || kind === 'connection') return
  const at = Date.parse(expires)
  if (at - Date.now() < WARNING_MS) reply.header('credential-expires', new Date(at).toUTCString())
}
