/**
 * Reads what clients say of themselves: documents at their own address (draft-ietf-oauth-client-id-metadata-document),
 * and the metadata with which they register (RFC 7591).
 */
import type { NewClient, OAuthClient } from '../../access/oauth/oauth-clients.js'
import { OAuthError } from '../../access/oauth/oauth-error.js'
import { hostOfRedirect, isPlainRemote, isRedirectUri } from '../../access/oauth/redirect-uri.js'
import { isObject } from '../../lib/json/json-object.js'
import { escapeInvisible } from '../../lib/text/invisible.js'
import { ClientRefusal } from '../authorize/authorization-error.js'

const MAX_REDIRECT_URIS = 20
const MAX_ID_LENGTH = 1000
const MAX_NAME_LENGTH = 100
const MAX_URI_LENGTH = 500
const GRANT_TYPES = ['authorization_code', 'refresh_token']

/**
 * Whether a client_id is the address of a document. It is compared as text, so that it has to be in the one form that
 * URL parsers write: https, with a path, without fragment, userinfo and dot segments.
 */
export const isDocumentAddress = (clientId: string): boolean => {
  if (!clientId.startsWith('https://') || clientId.length > MAX_ID_LENGTH || !URL.canParse(clientId)) return false
  const { href, username, password, pathname } = new URL(clientId)
  return href === clientId && username === '' && password === '' && pathname !== '/' && !clientId.includes('#')
}

/** @throws {ClientRefusal} for a document that is not this client's, or not one of a client */
export const parseDocument = (clientId: string, document: unknown): OAuthClient => {
  if (!isObject(document)) throw invalid('it is no JSON object')
  const fields = new Map(Object.entries(document))
  if (fields.get('client_id') !== clientId) throw invalid('its client_id is not its own address')
  if (fields.has('client_secret')) throw invalid('it holds a secret')
  const name = fields.get('client_name')
  if (typeof name !== 'string' || name.trim() === '') throw invalid('it has no client_name')
  const uris = fields.get('redirect_uris')
  if (!Array.isArray(uris) || uris.length === 0) throw invalid('it has no redirect_uris')
  if (uris.length > MAX_REDIRECT_URIS) throw invalid(`it has more than ${MAX_REDIRECT_URIS} redirect_uris`)
  const redirectUris = uris.filter(isRedirectUri)
  if (redirectUris.length === 0) throw invalid('none of its redirect_uris is https or on the person\'s own machine')
  requirePublicClient(fields)
  const grants = fields.get('grant_types')
  if (grants !== undefined && !includes(grants, 'authorization_code')) {
    throw invalid('its grant_types do not have authorization_code')
  }
  return {
    id: clientId,
    kind: 'document',
    name: sanitizeName(name.slice(0, MAX_NAME_LENGTH * 2)),
    uri: sanitizeUri(fields.get('client_uri')),
    host: new URL(clientId).hostname,
    redirectUris,
    refreshable: includes(grants, 'refresh_token'),
    confidential: false
  }
}

/** The token endpoint knows clients with documents by their id alone. */
const requirePublicClient = (fields: ReadonlyMap<string, unknown>): void => {
  const method = fields.get('token_endpoint_auth_method')
  const methods = fields.get('token_endpoint_auth_methods_supported')
  const isPublic = method === 'none' || includes(methods, 'none') || (method === undefined && methods === undefined)
  if (!isPublic) throw invalid('it does not offer the token_endpoint_auth_method none')
}

/**
 * Returns the client to register. What the server does not have is left out, as RFC 7591 section 2 allows: further
 * grants, addresses with a scheme of the client's own, a secret.
 * @throws {OAuthError} `invalid_redirect_uri` or `invalid_client_metadata`
 */
export const parseRegistration = (body: unknown): NewClient & { grantTypes: readonly string[] } => {
  if (!isObject(body)) {
    throw new OAuthError('invalid_client_metadata', 'Send the metadata of the client as a JSON object.')
  }
  const fields = new Map(Object.entries(body))
  const redirectUris = redirectUrisOf(fields.get('redirect_uris'))
  const requestedTypes = fields.get('grant_types')
  const grantTypes = requestedTypes === undefined
    ? ['authorization_code']
    : GRANT_TYPES.filter((type) => includes(requestedTypes, type))
  if (!grantTypes.includes('authorization_code')) {
    throw new OAuthError('invalid_client_metadata', 'grant_types has to have authorization_code.')
  }
  const responses = fields.get('response_types')
  if (responses !== undefined && !includes(responses, 'code')) {
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

const includes = (list: unknown, value: string): boolean => Array.isArray(list) && list.includes(value)

const invalid = (why: string): ClientRefusal =>
  new ClientRefusal('invalid_client', `The document about the application is not valid: ${why}.`)

/** Returns a name on one line, with invisible and direction characters escaped, at most 100 characters. */
const sanitizeName = (name: string): string =>
  escapeInvisible(name.replaceAll(/\s+/g, ' ').trim()).slice(0, MAX_NAME_LENGTH)

/** Returns an https address of a page; null for anything else. */
const sanitizeUri = (uri: unknown): string | null =>
  typeof uri === 'string' && uri.length <= MAX_URI_LENGTH && /^https:\/\/[\x21-\x7e]+$/.test(uri) && URL.canParse(uri)
    ? uri
    : null
