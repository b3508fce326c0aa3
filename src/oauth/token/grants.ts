/** The grants: of a code (RFC 6749 section 4.1.3, RFC 7636 section 4.5), of a refresh token (RFC 6749 section 6). */
import { OAuthError } from '../../access/oauth/oauth-error.js'
import type { CodeRefusal, IssuedTokens, OAuthGrants, RefreshRefusal } from '../../access/oauth/oauth-grants.js'
import { READ, SCOPES, WRITE } from '../scope.js'

/** A request to the token endpoint whose client is known. */
export interface TokenRequest {
  clientId: string
  /** Reads a parameter; throws an `OAuthError` `invalid_request` for one that is given twice. */
  parameter (name: string): string | undefined
  /** The canonical address that the tokens are to be for; undefined when none is named. */
  resource: string | undefined
}

type Refusal = readonly [code: string, message: string]

const CODE_REFUSALS: Record<CodeRefusal, Refusal> = {
  unknown: ['invalid_grant', 'The code is not one of this client.'],
  reused: ['invalid_grant', 'The code was used before; the connection that came of it was ended.'],
  ended: ['invalid_grant', 'The code has expired.'],
  redirect_uri: ['invalid_grant', 'redirect_uri is another one than that of the authorization request.'],
  code_verifier: ['invalid_grant', 'code_verifier does not fit the challenge of the authorization request.'],
  resource: ['invalid_target', 'resource is another one than that of the authorization request.']
}

const REFRESH_REFUSALS: Record<RefreshRefusal, Refusal> = {
  unknown: ['invalid_grant', 'The refresh token is not one of this client.'],
  reused: ['invalid_grant', 'The refresh token was used long before; the connection was ended.'],
  ended: ['invalid_grant', 'The connection has ended. Connect the application again.'],
  resource: ['invalid_target', 'resource is another one than that of the connection.'],
  scope: ['invalid_scope', `scope has more than was granted: ${READ}.`]
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
  if (!VERIFIER.test(verifier)) throw new OAuthError(...CODE_REFUSALS.code_verifier)
  const outcome = await grants.redeem({ code, clientId, verifier, redirectUri: parameter('redirect_uri'), resource })
  if ('refused' in outcome) throw new OAuthError(...CODE_REFUSALS[outcome.refused])
  return outcome
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
  if ('refused' in outcome) throw new OAuthError(...REFRESH_REFUSALS[outcome.refused])
  return outcome
}
