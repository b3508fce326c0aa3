/**
 * An authorization server in front of the correct server, on the origin of the proxy, so that each request to it is an
 * exchange. It allows every request at once: the answer to an authorization request is the redirect to the client.
 */
import { createHash } from 'node:crypto'
import { parseObject, type JsonObject } from '../../lib/json/json-object.js'
import { isProtocol, type Exchange, type ClientRequest } from '../proxy/exchange.js'
import type { Interception } from '../proxy/proxy.js'
import { jsonReply, textReply, type Reply } from '../proxy/reply.js'
import type { Misbehaviour, ProfileContext } from '../profiles/profile.js'

export interface FrontState {
  /** Where the endpoints of the authorization server are, as the last part of its issuer. */
  server: string
  /** Scopes by access token; a token that is deleted has expired. */
  tokens: Map<string, string>
  refreshTokens: Set<string>
}

/** What is not as it should be. Each function gets the correct value. */
export interface Quirks {
  resource?(document: JsonObject, origin: string): JsonObject
  metadata?(document: JsonObject, origin: string): JsonObject | undefined
  response?(parameters: Record<string, string>): Record<string, string>
  challenge?(parameters: Record<string, string>): Record<string, string>
  /** Whether each refresh gives a new refresh token, and ends the old one. */
  rotates?: boolean
  /** Answers a request of the protocol that has a valid token; undefined passes it on. */
  serve?(call: ClientRequest, interception: Interception, state: FrontState): Reply | undefined
  /** Whether the metadata of the authorization server is at the address of OpenID alone. */
  openIdOnly?: boolean
}

export const SCOPE = 'plans:read'

export const bearerHeader = (parameters: Readonly<Record<string, string>>): Record<string, string> => ({
  'www-authenticate': `Bearer ${Object.entries(parameters).map(([name, value]) => `${name}="${value}"`).join(', ')}`
})

const ENDPOINT = /^\/(as\d?)\/(authorize|token|register)$/
const METADATA = /^\/\.well-known\/(oauth-authorization-server|openid-configuration)\/(as\d?)$/

/** The endpoint that an exchange asks; undefined for a request of the protocol. */
export const endpointOf = ({ url }: Pick<Exchange, 'url'>): string | undefined =>
  ENDPOINT.exec(new URL(url, 'http://127.0.0.1').pathname)?.[2]

export const parametersOf = ({ method, url, body }: Pick<Exchange, 'method' | 'url' | 'body'>): URLSearchParams =>
  method === 'GET' ? new URL(url, 'http://127.0.0.1').searchParams : new URLSearchParams(body)

/** What a document of OpenID has to have besides. */
const OPENID = {
  jwks_uri: 'https://keys.example/jwks', subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['RS256']
}

/** Creates the front. Secrets that it gives have the marker in them, so that they are found wherever they arrive. */
export const authorizationFront = (
  { marker, token: serverToken }: Pick<ProfileContext, 'marker' | 'token'>, quirks: Quirks = {}
): Misbehaviour => {
  const codes = new Map<string, URLSearchParams>()
  const state: FrontState = { server: 'as', tokens: new Map(), refreshTokens: new Set() }
  let given = 0
  const mint = (kind: string): string => `${marker}-${kind}-${++given}`
  const hasToken = ({ headers }: ClientRequest): boolean =>
    state.tokens.has(/^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '')

  const metadataOf = (issuer: string): JsonObject => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    scopes_supported: [SCOPE, 'plans:write']
  })

  const authorize = (query: URLSearchParams, issuer: string): Reply => {
    const redirectUri = query.get('redirect_uri') ?? ''
    if (!URL.canParse(redirectUri)) return textReply(400, 'text/plain', 'The request has no redirect_uri.')
    const code = mint('code')
    codes.set(code, query)
    const sent = query.get('state')
    const parameters = { code, iss: issuer, ...(sent !== null && { state: sent }) }
    const target = new URL(redirectUri)
    const all = quirks.response?.(parameters) ?? parameters
    for (const [name, value] of Object.entries(all)) target.searchParams.set(name, value)
    return textReply(302, 'text/plain', '', { location: target.href })
  }

  const issueTokens = (form: URLSearchParams): Reply => {
    const query = codes.get(form.get('code') ?? '')
    const refreshToken = form.get('refresh_token') ?? ''
    const verifier = createHash('sha256').update(form.get('code_verifier') ?? '').digest('base64url')
    const granted = form.get('grant_type') === 'refresh_token'
      ? state.refreshTokens.has(refreshToken)
      : query?.get('code_challenge') === verifier
    if (!granted) return jsonReply({ error: 'invalid_grant' }, 400)
    codes.delete(form.get('code') ?? '')
    const access = mint('access')
    const scope = query?.get('scope') ?? SCOPE
    state.tokens.set(access, scope)
    const refresh = query !== undefined || quirks.rotates ? mint('refresh') : undefined
    if (quirks.rotates) state.refreshTokens.delete(refreshToken)
    if (refresh !== undefined) state.refreshTokens.add(refresh)
    const tokens = { access_token: access, token_type: 'Bearer', expires_in: 3600, scope, refresh_token: refresh }
    return jsonReply(tokens, 200, { 'cache-control': 'no-store' })
  }

  const register = (body: JsonObject): Reply =>
    jsonReply({ ...body, client_id: mint('client'), token_endpoint_auth_method: 'none' }, 201)

  return {
    isAuthenticated: hasToken,

    async answer (call, interception) {
      const origin = `http://${call.headers.host}`
      const { pathname, searchParams } = new URL(call.url, origin)
      if (pathname.startsWith('/.well-known/oauth-protected-resource')) {
        const document = { resource: `${origin}/mcp`, authorization_servers: [`${origin}/${state.server}`] }
        return jsonReply(quirks.resource?.(document, origin) ?? document)
      }
      const [, kind, server = ''] = METADATA.exec(pathname) ?? []
      if (kind !== undefined && (!quirks.openIdOnly || kind === 'openid-configuration')) {
        const document = { ...metadataOf(`${origin}/${server}`), ...(kind === 'openid-configuration' && OPENID) }
        return jsonReply(quirks.metadata?.(document, origin) ?? document)
      }
      const [, issuer, endpoint] = ENDPOINT.exec(pathname) ?? []
      if (endpoint === 'authorize') return authorize(searchParams, `${origin}/${issuer}`)
      if (endpoint === 'token') return issueTokens(new URLSearchParams(call.body.toString()))
      if (endpoint === 'register') return register(parseObject(call.body.toString()) ?? {})
      if (!isProtocol(call)) return undefined
      if (!hasToken(call)) {
        interception.inject('401: there is no valid token')
        const challenge = { resource_metadata: `${origin}/.well-known/oauth-protected-resource/mcp`, scope: SCOPE }
        return jsonReply({ error: 'invalid_token' }, 401, bearerHeader(quirks.challenge?.(challenge) ?? challenge))
      }
      return quirks.serve?.(call, interception, state) ??
        interception.forward({ headers: { authorization: `Bearer ${serverToken}` } })
    }
  }
}
