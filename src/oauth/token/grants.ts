/**
 * The grants: of an authorization code (RFC 6749 section 4.1.3, RFC 7636 section 4.5), of a refresh token (RFC 6749
 * section 6).
 */
import { OAuthError } from '../../access/oauth/oauth-error.js'
import type { GrantRefusal, IssuedTokens, OAuthGrants } from '../../access/oauth/oauth-grants.js'
import { READ, SCOPES, WRITE } from '../scope.js'

/** A request to the token endpoint whose client is known. */
export interface TokenRequest {
  clientId: string
  /** Reads a parameter; throws an `OAuthError` `invalid_request` for one that is given twice. */
  parameter (name: string): string | undefined
  /** The canonical address that the tokens are to be for; undefined when none is named. */
  resource: string | undefined
}

const CODE_REFUSALS: Record<GrantRefusal, string> = {
  unknown: 'The code is not one of this client.',
  reused: 'The code was used before; the connection that came of it was ended.',
  ended: 'The code has expired.',
  redirect_uri: 'redirect_uri is another one than that of the authorization request.',
  code_verifier: 'code_verifier does not fit the challenge of the authorization request.',
  resource: 'resource is another one than that of the authorization request.',
  scope: 'scope has more than was granted.'
}

// RFC 7636 section 4.1
const VERIFIER = /^[\w.~-]{43,128}$/

/** @throws {OAuthError} when there are no tokens for the code */
export const redeemCode = async (
  grants: Pick<OAuthGrants, 'redeem'>, { clientId, parameter, resource }: TokenRequest
): Promise<IssuedTokens> => {
  const code = parameter('code')
  if (code === undefined) throw new OAuthError('invalid_request', 'code is required.')
  const verifier = parameter('code_verifier')
  if (verifier === undefined) throw new OAuthError('invalid_request', 'code_verifier is required.')
  if (!VERIFIER.test(verifier)) throw new OAuthError('invalid_grant', CODE_REFUSALS.code_verifier)
  const outcome = await grants.redeem({ code, clientId, verifier, redirectUri: parameter('redirect_uri'), resource })
  if (!('refused' in outcome)) return outcome
  throw new OAuthError(
    outcome.refused === 'resource' ? 'invalid_target' : 'invalid_grant', CODE_REFUSALS[outcome.refused])
}

const REFRESH_REFUSALS = {
  unknown: 'The refresh token is not one of this client.',
  reused: 'The refresh token was used long before; the connection was ended.',
  ended: 'The connection has ended. Connect the application again.'
}

/** @throws {OAuthError} when there are no tokens for the refresh token */
export const refreshTokens = async (
  grants: Pick<OAuthGrants, 'refresh'>, { clientId, parameter, resource }: TokenRequest
): Promise<IssuedTokens> => {
  const token = parameter('refresh_token')
  if (token === undefined) throw new OAuthError('invalid_request', 'refresh_token is required.')
  const requestedScopes = parameter('scope')?.split(' ') ?? []
  if (requestedScopes.some((scope) => !['', ...SCOPES, 'offline_access'].includes(scope))) {
    throw new OAuthError('invalid_scope', `scope has more than can be granted: ${SCOPES.join(' ')}.`)
  }
  const outcome = await grants.refresh({ token, clientId, resource, writes: requestedScopes.includes(WRITE) })
  if (!('refused' in outcome)) return outcome
  switch (outcome.refused) {
    case 'unknown':
    case 'reused':
    case 'ended':
      throw new OAuthError('invalid_grant', REFRESH_REFUSALS[outcome.refused])
    case 'resource':
      throw new OAuthError('invalid_target', 'resource is another one than that of the connection.')
    case 'scope':
      throw new OAuthError('invalid_scope', `scope has more than was granted: ${READ}.`)
    case 'redirect_uri':
    case 'code_verifier':
      throw new OAuthError('invalid_grant', REFRESH_REFUSALS.unknown)
  }
}
