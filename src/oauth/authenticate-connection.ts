/** Authenticates requests to the OAuth endpoint by access token. No other credential is taken there. */
import { requireOneAuthorization, useOf, type authenticate } from '../access/authenticate.js'
import type { OwnCredentials } from '../access/credentials/credentials.js'
import { beginsAsOAuthToken } from '../access/credentials/prefixed-secret.js'
import type { LookUp } from '../access/limits/rate-limit.js'

const MISSING = 'This address is for applications that sign people in by OAuth: the metadata that the ' +
  'WWW-Authenticate header names says where. Keys and personal access tokens go to /mcp.'
const STATIC = 'This address takes no keys and no personal access tokens: send them to /mcp of this server.'
const MALFORMED = 'This is no access token of this server. Connect the application again.'
const UNKNOWN = 'The access token is wrong, expired or of another server, or the application was disconnected. ' +
  'Refresh it, or connect the application again.'

export const authenticateConnection = (
  credentials: Pick<OwnCredentials, 'verifyConnection'>, resource: () => string, lookUp: LookUp
): ReturnType<typeof authenticate> => async (request) => {
  requireOneAuthorization(request)
  const { authorization } = request.headers
  if (authorization === undefined) return { reason: 'missing', hint: MISSING }
  const secret = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  if (secret === undefined) return { reason: 'malformed', hint: MALFORMED }
  if (/^svc_(?:key|pat)_/.test(secret)) return { reason: 'wrong_endpoint', hint: STATIC }
  if (!beginsAsOAuthToken(secret)) return { reason: 'malformed', hint: MALFORMED }
  const verification = await lookUp(request, () => credentials.verifyConnection(secret, resource(), useOf(request)))
  return 'principal' in verification ? verification : { reason: 'invalid', hint: UNKNOWN }
}

/** What the hints of the endpoint for keys and tokens end with: where applications sign people in. */
export const oauthHint = (resource: string): string =>
  ` Applications that sign people in, such as Claude.ai and ChatGPT, use ${resource} instead.`
