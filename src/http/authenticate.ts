/** Who is calling. Reads only: a missing principal is refused after it has been counted, so that guessing is limited too. */
import type { FastifyRequest } from 'fastify'
import type { Credentials } from '../credentials/credentials.js'
import { Fault } from '../errors.js'
import type { Principal } from '../principal.js'
import { readBearer } from './bearer.js'

export type Caller = { principal: Principal } | { reason: string, hint: string }

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

const HINTS = {
  malformed: 'This is no credential of this server: they start with svc_key_ or svc_pat_. Check that the whole of it was copied.',
  mistyped: 'The key is mistyped or cut: its checksum does not fit. Copy the whole key again.',
  unknown: 'The credential is wrong, revoked or expired. Ask the server\'s operator for a new one, and put it in place of the old.'
}

export const authenticate = (credentials: Pick<Credentials, 'verify'>) => async (request: FastifyRequest): Promise<void> => {
  const bearer = readBearer(request.headers.authorization)
  if (!('secret' in bearer)) {
    request.caller = bearer
    return
  }
  const verification = await credentials.verify(bearer.secret)
  request.caller = 'principal' in verification
    ? verification
    : { reason: verification.refused === 'unknown' ? 'invalid' : verification.refused, hint: HINTS[verification.refused] }
}

export const requirePrincipal = ({ caller }: FastifyRequest): Principal => {
  if ('principal' in caller) return caller.principal
  throw new Fault('unauthorized', 'This server needs a valid credential.', { reason: caller.reason, hint: caller.hint })
}
