/** The scopes of connections, their address (RFC 8707), and the header that says so (RFC 6750, RFC 9728). */
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

/** `given`: whether the request had a credential; `neededScope`: where the scope of that is too small. */
export const oauthChallenge = (given: boolean, resource: string, neededScope?: string): string => bearerChallenge({
  realm: REALM,
  given,
  // The scopes that are granted have to stay, as a client asks for what the challenge names alone.
  neededScope: neededScope === 'read_write' ? oauthScope(neededScope) : neededScope,
  scope: READ,
  resourceMetadata: wellKnownAddress('oauth-protected-resource', resource)
})

const MESSAGE = 'resource names another address than that of this server\'s endpoint.'

/** The canonical address; undefined when none is named. It may be named several times, in several spellings. */
export const resourceParameter = (
  parameters: URLSearchParams, resources: readonly string[], invalidTarget: (message: string) => Error
): string | undefined => {
  const values = parameters.getAll('resource').filter((value) => value.trim() !== '')
  const [first, ...others] = new Set(values.map((value) => canonicalResource(value, resources)))
  if (values.length > 0 && (first === undefined || others.length > 0)) throw invalidTarget(MESSAGE)
  return first
}
