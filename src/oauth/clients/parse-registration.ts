/** Reads the metadata with which a client registers itself (RFC 7591). */
import { OAuthError } from '../../access/oauth/oauth-error.js'
import type { NewClient } from '../../access/oauth/oauth-clients.js'
import { hostOfRedirect, isPlainRemote, isRedirectUri } from '../../access/oauth/redirect-uri.js'
import { sanitizeName, sanitizeUri } from './parse-document.js'

const MAX_REDIRECT_URIS = 20
const GRANT_TYPES = ['authorization_code', 'refresh_token']

export interface ClientRegistration extends NewClient {
  grantTypes: readonly string[]
}

/**
 * Returns the client to register. What the server does not have is left out, as RFC 7591 section 2 allows: further
 * grants, addresses with a scheme of the client's own, a secret.
 * @throws {OAuthError} `invalid_redirect_uri` or `invalid_client_metadata`
 */
export const parseRegistration = (body: unknown): ClientRegistration => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new OAuthError('invalid_client_metadata', 'Send the metadata of the client as a JSON object.')
  }
  const fields = new Map<string, unknown>(Object.entries(body))
  const redirectUris = redirectUrisOf(fields.get('redirect_uris'))
  const requestedTypes = fields.get('grant_types')
  const grantTypes = requestedTypes === undefined
    ? ['authorization_code']
    : Array.isArray(requestedTypes) ? GRANT_TYPES.filter((type) => requestedTypes.includes(type)) : []
  if (!grantTypes.includes('authorization_code')) {
    throw new OAuthError('invalid_client_metadata', 'grant_types has to have authorization_code.')
  }
  const responses = fields.get('response_types')
  if (responses !== undefined && !(Array.isArray(responses) && responses.includes('code'))) {
    throw new OAuthError('invalid_client_metadata', 'response_types has to have code.')
  }
  const name = fields.get('client_name')
  const displayName = typeof name === 'string' ? sanitizeName(name.slice(0, 1000)) : ''
  return {
    kind: 'registered',
    name: displayName === '' ? hostOfRedirect(redirectUris[0] ?? '') : displayName,
    uri: sanitizeUri(fields.get('client_uri')) ?? undefined,
    redirectUris,
    refreshable: grantTypes.includes('refresh_token'),
    confidential: false,
    grantTypes
  }
}

const redirectUrisOf = (uris: unknown): string[] => {
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_REDIRECT_URIS) {
    throw new OAuthError('invalid_redirect_uri', `redirect_uris has 1 to ${MAX_REDIRECT_URIS} addresses.`)
  }
  if (uris.some((uri) => typeof uri !== 'string' || isPlainRemote(uri))) {
    throw new OAuthError('invalid_redirect_uri', 'A redirect URI on another machine has to be https.')
  }
  const accepted = uris.filter(isRedirectUri)
  if (accepted.length > 0) return [...new Set(accepted)]
  throw new OAuthError(
    'invalid_redirect_uri', 'Name a redirect URI that is https, or http on localhost, 127.0.0.1 or [::1].')
}
