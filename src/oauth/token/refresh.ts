/** The grant of a refresh token (RFC 6749 section 6). */
import { OAuthError } from '../../access/oauth/oauth-error.js'
import type { IssuedTokens, OAuthGrants } from '../../access/oauth/oauth-grants.js'
import { SCOPE } from '../scope.js'
import type { TokenRequest } from './token-request.js'

const REASONS = {
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
  if (requestedScopes.some((scope) => scope !== '' && scope !== SCOPE && scope !== 'offline_access')) {
    throw new OAuthError('invalid_scope', `scope has more than was granted: ${SCOPE}.`)
  }
  const outcome = await grants.refresh({ token, clientId, resource })
  if (!('refused' in outcome)) return outcome
  switch (outcome.refused) {
    case 'unknown':
    case 'reused':
    case 'ended':
      throw new OAuthError('invalid_grant', REASONS[outcome.refused])
    case 'resource':
      throw new OAuthError('invalid_target', 'resource is another one than that of the connection.')
    case 'redirect_uri':
    case 'code_verifier':
      throw new OAuthError('invalid_grant', REASONS.unknown)
  }
}
