/** A protected resource and its authorization server, whose behaviour is a table. A defect changes one row of it. */
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as requestHttp } from 'node:http'
import { text } from 'node:stream/consumers'

/** What a correct one does. */
const ROWS = {
  'challenge.status': 401,
  'challenge.metadata': '/.well-known/oauth-protected-resource/mcp',
  'challenge.bodyFirst': false,
  'challenge.error': /** @type {string | null} */ ('invalid_token'),
  'resource.suffix': '',
  'metadata.issuerSuffix': '',
  'metadata.openIdToken': '/as/token',
  'metadata.pkceMethods': /** @type {string[] | null} */ (['S256']),
  'metadata.revocation': '/as/revoke',
  'metadata.iss': /** @type {boolean | null} */ (true),
  'response.iss': true,
  'response.issSuffix': '',
  'response.state': true,
  'registration.anyRedirect': false,
  'cors.authorize': false,
  'cors.credentials': false,
  'client.unknown': /** @type {'page' | 'redirect'} */ ('page'),
  'redirect.match': /** @type {'exact' | 'prefix' | 'host'} */ ('exact'),
  'documents.private': false,
  'pkce.required': true,
  'pkce.plain': false,
  'pkce.verified': true,
  'code.client': true,
  'code.once': true,
  'code.reuseRevokes': true,
  'code.usedUpByFailure': false,
  'token.cacheControl': 'no-store',
  'token.query': false,
  'token.anyKind': false,
  'token.signature': true,
  'token.audience': true,
  'refresh.issued': true,
  'refresh.client': true,
  'refresh.rotates': true,
  'refresh.graceSeconds': 0,
  'revocation.works': true,
  /** Whether a person has to sign in on a page. */
  'person.page': false
}

/**
 * @typedef {typeof ROWS} Rows
 * @typedef {{ client: string, grant: string, aud: string, scope: string }} Grant
 * @typedef {Grant & { redirect: string, challenge: string | undefined, method: string, used: boolean }} Code
 * @typedef {{ status: number, headers: Record<string, string>, body: string }} Answer
 * @typedef {Record<string, string | undefined>} Fields of the query of a GET, and of the body of a POST
 * @typedef {(fields: Fields, request: { body: string, authorization?: string | undefined }) => Answer | Promise<Answer>} Endpoint
 */

/** @returns {Answer} */
const json = (/** @type {number} */ status, /** @type {unknown} */ body, headers = {}) =>
  ({ status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) ?? '' })

/** @returns {Answer} */
const page = (/** @type {number} */ status, /** @type {string} */ words) =>
  ({ status, headers: { 'content-type': 'text/html' }, body: `<!doctype html><p>${words}` })

const sha256 = (/** @type {string} */ verifier) => createHash('sha256').update(verifier).digest('base64url')

/**
 * Starts it on a free port of 127.0.0.1.
 * @param {Partial<Rows>} change
 * @param {Record<string, { aud: string, scope: string }>} tokens access tokens that exist from the start
 */
export const startAuthorizationServer = async (change = {}, tokens = {}) => {
  const rows = { ...ROWS, ...change }
  const key = randomUUID()
  let now = Date.now()
  /** @type {Map<string, string[]>} */
  const clients = new Map()
  /** @type {Map<string, Code>} */
  const codes = new Map()
  /** @type {Map<string, Grant & { usedAt?: number }>} */
  const refreshTokens = new Map()
  const ended = new Set()
  /** @type {string[]} The scopes of each authorization request. */
  const asked = []
  const sign = (/** @type {string} */ data) => createHmac('sha256', key).update(data).digest('base64url')

  const mint = (/** @type {Grant} */ grant) => {
    const payload = [{ alg: 'HS256' }, { ...grant, id: randomUUID() }].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    const refresh = randomUUID()
    refreshTokens.set(refresh, grant)
    return {
      access_token: `${payload}.${sign(payload)}`, token_type: 'Bearer', expires_in: 3600, scope: grant.scope, ...rows['refresh.issued'] && { refresh_token: refresh }
    }
  }

  /** @returns {{ aud: string, scope: string } | undefined} */
  const grantOf = (/** @type {string} */ token) => {
    if (tokens[token]) return tokens[token]
    if (refreshTokens.has(token)) return rows['token.anyKind'] ? { aud: '', scope: '' } : undefined
    const [header = '', payload = '', signature = ''] = token.split('.')
    if (rows['token.signature'] ? sign(`${header}.${payload}`) !== signature : payload === '') return undefined
    const grant = JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}')
    return ended.has(grant.grant) || (rows['token.audience'] && grant.aud !== `${origin}/mcp`) ? undefined : grant
  }

  const metadata = (/** @type {string} */ tokenPath) => json(200, {
    issuer: `${origin}/as${rows['metadata.issuerSuffix']}`,
    authorization_endpoint: `${origin}/as/authorize`,
    token_endpoint: `${origin}${tokenPath}`,
    registration_endpoint: `${origin}/as/register`,
    revocation_endpoint: new URL(rows['metadata.revocation'], origin).href,
    response_types_supported: ['code'],
    code_challenge_methods_supported: rows['metadata.pkceMethods'] ?? undefined,
    authorization_response_iss_parameter_supported: rows['metadata.iss'] ?? undefined,
    client_id_metadata_document_supported: true
  })

  const isAllowed = (/** @type {string} */ uri) => uri.startsWith('https://') || (/^http:\/\/127\.0\.0\.1[:/]/.test(uri) && !uri.includes('#'))

  const matches = (/** @type {string} */ redirect, /** @type {string} */ uri) => ({
    exact: () => redirect === uri,
    prefix: () => redirect.startsWith(uri),
    host: () => URL.canParse(redirect) && new URL(redirect).hostname === new URL(uri).hostname
  })[rows['redirect.match']]()

  const refuse = (/** @type {string} */ error) => json(400, { error }, { 'cache-control': 'no-store' })

  const issue = (/** @type {Grant} */ { client, grant, aud, scope }, more = {}) =>
    json(200, { ...mint({ client, grant, aud, scope }), ...more }, { 'cache-control': rows['token.cacheControl'] })

  /** @type {Record<string, Endpoint>} */
  const endpoints = {
    '/mcp' ({ access_token: inQuery }, { body, authorization = '' }) {
      const token = /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? (rows['token.query'] ? inQuery : undefined)
      if (rows['challenge.bodyFirst'] && !body.startsWith('{')) return json(400, {})
      if (token !== undefined && grantOf(token)) return json(200, { jsonrpc: '2.0', id: 1, result: { resultType: 'complete' } })
      const error = token === undefined || rows['challenge.error'] === null ? '' : `error="${rows['challenge.error']}", `
      const challenge = `Bearer ${error}scope="read", resource_metadata="${origin}${rows['challenge.metadata']}"`
      return json(token === undefined ? rows['challenge.status'] : 401, {}, { 'www-authenticate': challenge })
    },

    '/.well-known/oauth-protected-resource/mcp': () =>
      json(200, { resource: `${origin}/mcp${rows['resource.suffix']}`, authorization_servers: [`${origin}/as`], scopes_supported: ['read'] }),
    '/.well-known/oauth-authorization-server/as': () => metadata('/as/token'),
    '/.well-known/openid-configuration/as': () => metadata(rows['metadata.openIdToken']),

    '/as/register' (_fields, { body }) {
      const { redirect_uris: redirects } = JSON.parse(body)
      if (!rows['registration.anyRedirect'] && !redirects.every(isAllowed)) return json(400, { error: 'invalid_redirect_uri' })
      const id = randomUUID()
      clients.set(id, redirects)
      return json(201, { client_id: id, redirect_uris: redirects, token_endpoint_auth_method: 'none' })
    },

    async '/as/authorize' (query) {
      const { client_id: client = '', redirect_uri: redirect = '', scope = 'read', code_challenge: challenge } = query
      const { code_challenge_method: method = 'plain', resource: aud = `${origin}/mcp` } = query
      const answer = (/** @type {Record<string, string>} */ parameters) => {
        const to = new URL(redirect)
        const all = {
          ...parameters,
          ...(rows['response.state'] && query['state'] !== undefined && { state: query['state'] }),
          ...(rows['response.iss'] && { iss: `${origin}/as${rows['response.issSuffix']}` })
        }
        for (const [name, value] of Object.entries(all)) to.searchParams.set(name, value)
        return { status: 303, headers: { location: to.href }, body: '' }
      }
      if (rows['documents.private'] && client.startsWith('http')) {
        const document = requestHttp(client.replace('https:', 'http:')).on('error', () => {}).on('response', (reply) => { reply.resume() }).end()
        await once(document, 'close')
        return page(400, 'No document.')
      }
      const registered = clients.get(client)
      if (!registered) return rows['client.unknown'] === 'redirect' ? answer({ error: 'unauthorized_client' }) : page(400, 'Unknown client.')
      if (!registered.some((uri) => matches(redirect, uri))) return page(400, 'Another redirect address.')
      if (rows['pkce.required'] && challenge === undefined) return answer({ error: 'invalid_request' })
      if (!rows['pkce.plain'] && challenge !== undefined && method !== 'S256') return answer({ error: 'invalid_request' })
      if (rows['token.audience'] && aud !== `${origin}/mcp`) return answer({ error: 'invalid_target' })
      if (rows['person.page'] && query['signed'] === undefined) return page(200, 'Sign in.')
      const code = randomUUID()
      asked.push(scope)
      codes.set(code, { client, redirect, challenge, method, aud, scope, grant: randomUUID(), used: false })
      return answer({ code })
    },

    '/as/token' ({ grant_type: type, code: given = '', code_verifier: verifier = '', refresh_token: refreshToken = '', ...form }) {
      if (type === 'authorization_code') {
        const code = codes.get(given)
        if (!code || (rows['code.client'] && code.client !== form['client_id']) || code.redirect !== form['redirect_uri']) return refuse('invalid_grant')
        if (code.used && rows['code.once']) {
          if (rows['code.reuseRevokes']) ended.add(code.grant)
          return refuse('invalid_grant')
        }
        const { challenge, method } = code
        if (rows['pkce.verified'] && challenge !== undefined && challenge !== (method === 'plain' ? verifier : sha256(verifier))) {
          code.used ||= rows['code.usedUpByFailure']
          return refuse('invalid_grant')
        }
        code.used = true
        return issue(code)
      }
      const refresh = refreshTokens.get(refreshToken)
      if (!refresh || ended.has(refresh.grant) || (rows['refresh.client'] && refresh.client !== form['client_id'])) return refuse('invalid_grant')
      if (!rows['refresh.rotates']) return issue(refresh, { refresh_token: refreshToken })
      if (refresh.usedAt !== undefined && now - refresh.usedAt >= rows['refresh.graceSeconds'] * 1000) return refuse('invalid_grant')
      refresh.usedAt ??= now
      return issue(refresh)
    },

    '/as/revoke' ({ token = '' }) {
      const revoked = refreshTokens.get(token)
      if (revoked && rows['revocation.works']) ended.add(revoked.grant)
      return json(200, {})
    },

    '/as/introspect' ({ token = '' }) {
      const grant = grantOf(token)
      return json(200, grant ? { active: true, sub: 'ada', aud: grant.aud, scope: grant.scope } : { active: false })
    }
  }

  /** @returns {Answer} */
  const preflight = (/** @type {string} */ pathname, /** @type {string} */ from) => {
    const isOpen = pathname === '/as/authorize' ? rows['cors.authorize'] : pathname.startsWith('/as/')
    const isCredentialed = rows['cors.credentials'] && pathname === '/as/token'
    return json(204, undefined, {
      ...(isOpen && { 'access-control-allow-origin': isCredentialed ? from : '*' }),
      ...(isCredentialed && { 'access-control-allow-credentials': 'true' })
    })
  }

  const server = createServer(async (request, response) => {
    const { method, headers: { authorization, origin: from = '*' } } = request
    const { pathname, searchParams } = new URL(request.url ?? '/', origin)
    try {
      const body = await text(request)
      const fields = Object.fromEntries(method === 'POST' && pathname !== '/mcp' ? new URLSearchParams(body) : searchParams)
      const answer = method === 'OPTIONS' ? preflight(pathname, from) : await endpoints[pathname]?.(fields, { body, authorization }) ?? json(404, {})
      response.writeHead(answer.status, answer.headers).end(answer.body)
    } catch {
      response.destroy()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  const origin = `http://127.0.0.1:${address.port}`
  return {
    /** The protected endpoint. */
    url: `${origin}/mcp`,
    issuer: `${origin}/as`,
    asked,
    /** Lets time pass for it. */
    advance: (/** @type {number} */ ms) => { now += ms },
    async close () {
      server.closeAllConnections()
      await new Promise((resolve) => { server.close(resolve) })
    }
  }
}
