/**
 * Writes the WWW-Authenticate header of `/mcp` and of the APIs for programs. It has no `resource_metadata`: agents that
 * see one start OAuth and drop the credential that they have for this server.
 */
import { bearerChallenge } from '../../lib/http/bearer-challenge.js'

export const REALM = 'exploration-mcp'

/** `given`: whether the request had a credential; `neededScope`: where the scope of that is too small. */
export const challenge = (given: boolean, neededScope?: string): string =>
  bearerChallenge({ realm: REALM, given, neededScope })
