/** The metadata of the protected resource (RFC 9728). */
import { SERVER } from '../config/server-info.js'
import { SCOPE } from './scope.js'

/**
 * Returns the metadata.
 * @param resource the address of the endpoint as the client knows it: clients compare it
 * @param issuer the authorization server that issues its tokens
 */
export const protectedResource = (resource: string, issuer: string) => ({
  resource,
  authorization_servers: [issuer],
  scopes_supported: [SCOPE],
  bearer_methods_supported: ['header'],
  resource_name: SERVER.name
})
