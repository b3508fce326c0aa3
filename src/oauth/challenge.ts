/** Writes the WWW-Authenticate header of the OAuth endpoint's 401 (RFC 6750 section 3, RFC 9728 section 5.1). */
import { challenge } from '../http/challenge.js'
import { wellKnownAddress } from './addresses.js'
import { SCOPE } from './scope.js'

/**
 * Returns the header's value.
 * @param given whether the request had a token in any form; without one the header names no error
 * @param resource the address of the endpoint as the client knows it
 */
export const oauthChallenge = (given: boolean, resource: string): string =>
  `${challenge(given)}, scope="${SCOPE}", ` +
  `resource_metadata="${wellKnownAddress('oauth-protected-resource', resource)}"`
