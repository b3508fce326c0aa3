/** Writes the WWW-Authenticate header of the OAuth endpoint (RFC 6750 section 3, RFC 9728 section 5.1). */
import { REALM } from '../access/limits/challenge.js'
import { bearerChallenge } from '../lib/http/bearer-challenge.js'
import { wellKnownAddress } from './addresses.js'
import { SCOPE } from './scope.js'

/**
 * Returns the header's value.
 * @param given whether the request had a token in any form; without one the header names no error
 * @param resource the address of the endpoint as the client knows it
 * @param neededScope what the request needs, where the scope of its token is too small
 */
export const oauthChallenge = (given: boolean, resource: string, neededScope?: string): string => bearerChallenge({
  realm: REALM,
  given,
  neededScope,
  scope: SCOPE,
  resourceMetadata: wellKnownAddress('oauth-protected-resource', resource)
})
