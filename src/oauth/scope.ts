/**
 * The scopes of connections, the address they are for (RFC 8707), and the header that says so (RFC 6750 section 3, RFC
 * 9728 section 5.1).
 */
import type { Scope } from '../lib/principal.js'
import { REALM } from '../access/limits/challenge.js'
import { bearerChallenge } from '../lib/http/bearer-challenge.js'
import { wellKnownAddress } from '../lib/http/well-known-address.js'
import { canonicalResource } from './addresses.js'

export const READ = 'read'
/** Asks for the scope `read_write` of credentials. */
export const WRITE = 'write'
/** What a client may ask for. `read` is always granted. */
export const SCOPES = [READ, WRITE]

/** The scope of a connection in the words of OAuth. */
export const oauthScope = (scope: Scope): string => scope === 'read' ? READ : `${READ} ${WRITE}`

/**
 * Returns the header's value.
 * @param given whether the request had a token in any form; without one the header names no error
 * @param resource the address of the endpoint as the client knows it
 * @param neededScope what the request needs, where the scope of its token is too small
 */
export const oauthChallenge = (given: boolean, resource: string, neededScope?: string): string => bearerChallenge({
  realm: REALM,
  given,
  // The scopes that are granted have to stay, as a client asks for what the challenge names alone.
  neededScope: neededScope === 'read_write' ? oauthScope(neededScope) : neededScope,
  scope: READ,
  resourceMetadata: wellKnownAddress('oauth-protected-resource', resource)
})

const MESSAGE = 'resource names another address than that of this server\'s endpoint.'

/**
 * Returns the canonical address; undefined when none is named. It may be named several times, in several spellings.
 * @param resources canonical addresses that tokens are issued for
 * @param invalidTarget makes the error to throw for any other address
 */
export const resourceParameter = (
  parameters: URLSearchParams, resources: readonly string[], invalidTarget: (message: string) => Error
): string | undefined => {
  const values = parameters.getAll('resource').filter((value) => value.trim() !== '')
  const [first, ...others] = new Set(values.map((value) => canonicalResource(value, resources)))
  if (values.length > 0 && (first === undefined || others.length > 0)) throw invalidTarget(MESSAGE)
  return first
}
