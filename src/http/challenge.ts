/**
 * The WWW-Authenticate header of a 401, by RFC 6750 section 3. It names no `resource_metadata`: agents that see one start OAuth, and drop
 * the credential that they were given for this server.
 */
const REALM = 'exploration-mcp'

/** @param given whether the request had a credential, in whatever form: without one there is no error to name */
export const challenge = (given: boolean): string => `Bearer realm="${REALM}"${given ? ', error="invalid_token"' : ''}`
