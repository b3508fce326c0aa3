/**
 * Writes the WWW-Authenticate header of a 401 (RFC 6750 section 3). It has no `resource_metadata`: agents that see one
 * start OAuth and drop the credential that they have for this server.
 */

const REALM = 'exploration-mcp'

/**
 * Returns the header's value.
 * @param given whether the request had a credential in any form; without one the header names no error
 */
export const challenge = (given: boolean): string => `Bearer realm="${REALM}"${given ? ', error="invalid_token"' : ''}`
