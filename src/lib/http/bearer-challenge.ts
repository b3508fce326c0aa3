/** Writes and reads WWW-Authenticate headers for bearer tokens (RFC 6750 section 3, RFC 9728 section 5.1). */

export interface BearerChallenge {
  /** Other characters than letters, digits and ` ._-` are left out. */
  realm: string
  /** Whether the request had a credential in any form; without one the header names no error. */
  given: boolean
  /** What the request needs, where the scope of its credential is too small; the scopes are separated by spaces. */
  neededScope?: string | undefined
  /** What a client without a credential is to ask for. */
  scope?: string | undefined
  /** The absolute address of the metadata of the protected resource. */
  resourceMetadata?: string | undefined
}

export const bearerChallenge = (
  { realm, given, neededScope, scope, resourceMetadata }: BearerChallenge
): string => {
  const error = neededScope !== undefined ? 'insufficient_scope' : given ? 'invalid_token' : undefined
  const parameters = {
    realm: realm.replaceAll(/[^\w .-]/g, ''), error, scope: neededScope ?? scope, resource_metadata: resourceMetadata
  }
  const written = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value.replaceAll(UNQUOTABLE, '')}"`])
  return `Bearer ${written.join(', ')}`
}

/** What neither scopes (RFC 6749 section 3.3) nor addresses contain, and would end a quoted string or a header. */
const UNQUOTABLE = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g

export const challengeParameter = (challenge: string, name: string): string | undefined =>
  new RegExp(`(?:^|[\\s,])${name}\\s*=\\s*(?:"([^"]*)"|([^\\s,"]+))`, 'i').exec(challenge)?.slice(1)
    .find((part) => part !== undefined)
