/** The grant of an authorization code (RFC 6749 section 4.1.3, RFC 7636 section 4.5). */
import { OAuthError } from '../../access/oauth/oauth-error.js'
import type { GrantRefusal, IssuedTokens, OAuthGrants } from '../../access/oauth/oauth-grants.js'
import type { TokenRequest } from './token-request.js'

const REASONS: Record<GrantRefusal, string> = {
  unknown: 'The code is not one of this client.',
  reused: 'The code was used before; the connection that came of it was ended.',
  ended: 'The code has expired.',
  redirect_uri: 'redirect_uri is another one than that of the authorization request.',
  code_verifier: 'code_verifier does not fit the challenge of the authorization request.',
  resource: 'resource is another one than that of the authorization request.'
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
  if (!VERIFIER.test(verifier)) throw new OAuthError('invalid_grant', REASONS.code_verifier)
  const outcome = await grants.redeem({ code, clientId, verifier, redirectUri: parameter('redirect_uri'), resource })
  if (!('refused' in outcome)) return outcome
  throw new OAuthError(
    outcome.refused === 'resource' ? 'invalid_target' : 'invalid_grant', REASONS[outcome.refused])
}
