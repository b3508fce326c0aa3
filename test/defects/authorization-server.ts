/** A protected resource and its authorization server, whose behaviour is a table. A defect changes one row of it. */
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, request as requestHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What a correct one does. */
const ROWS = {
  'challenge.status': 401,
  'challenge.metadata': '/.well-known/oauth-protected-resource/mcp',
  'challenge.bodyFirst': false,
  'challenge.error': 'invalid_token' as string | null,
  'resource.suffix': '',
  'metadata.issuerSuffix': '',
  'metadata.openIdToken': '/as/token',
  'metadata.pkceMethods': ['S256'] as string[] | null,
  'metadata.revocation': '/as/revoke',
  'metadata.iss': true as boolean | null,
  'response.iss': true,
  'response.issSuffix': '',
  'response.state': true,
  'registration.anyRedirect': false,
  'cors.authorize': false,
  'cors.credentials': false,
  'client.unknown': 'page' as 'page' | 'redirect',
  'redirect.match': 'exact' as 'exact' | 'prefix' | 'host',
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
  'refresh.client': true,
  'refresh.rotates': true,
  'refresh.graceSeconds': 0,
  'revocation.works': true,
  /** Whether a person has to sign in on a page. */
  'person.page': false
}

export type Rows = typeof ROWS

interface Grant { client: string, grant: string, resource: string }
interface Code extends Grant { redirect: string, challenge: string | undefined, method: string, used: boolean }

const fields = (source: string): Record<string, string> => Object.fromEntries(new URLSearchParams(source))

export const startAuthorizationServer = async (change: Partial<Rows> = {}) => {
  const rows: Rows = { ...ROWS, ...change }
  const key = randomUUID()
  let now = Date.now()
  const clients = new Map<string, string[]>()
  const codes = new Map<string, Code>()
  const refreshTokens = new Map<string, Grant & { usedAt?: number }>()
  const ended = new Set<string>()
  let origin = ''
  const sign = (data: string): string => createHmac('sha256', key).update(data).digest('base64url')
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

  const send = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
  const page = (response: ServerResponse, status: number, words: string): void => {
    response.writeHead(status, { 'content-type': 'text/html' }).end(`<!doctype html><p>${words}`)
  }

  const mint = ({ client, grant, resource }: Grant) => {
    const payload = [{ alg: 'HS256' }, { aud: resource, grant, id: randomUUID() }].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    const refresh = randomUUID()
    refreshTokens.set(refresh, { client, grant, resource })
    return { access_token: `${payload}.${sign(payload)}`, refresh_token: refresh, token_type: 'Bearer', expires_in: 3600, scope: 'read' }
  }

  const accepts = (token: string): boolean => {
    const known = refreshTokens.get(token)
    if (known) return rows['token.anyKind']
    const [header = '', payload = '', signature = ''] = token.split('.')
    if (rows['token.signature'] ? sign(`${header}.${payload}`) !== signature : payload === '') return false
    const { aud, grant } = JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}')
    return !ended.has(grant) && (!rows['token.audience'] || aud === `${origin}/mcp`)
  }

  const resource = (request: IncomingMessage, response: ServerResponse, url: URL, body: string): void => {
    const [, header] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    const token = header ?? (rows['token.query'] ? url.searchParams.get('access_token') ?? undefined : undefined)
    if (rows['challenge.bodyFirst'] && !body.startsWith('{')) return send(response, 400, {})
    if (token === undefined || !accepts(token)) {
      const error = token === undefined || rows['challenge.error'] === null ? '' : `error="${rows['challenge.error']}", `
      const challenge = `Bearer ${error}scope="read", resource_metadata="${origin}${rows['challenge.metadata']}"`
      return send(response, token === undefined ? rows['challenge.status'] : 401, {}, { 'www-authenticate': challenge })
    }
    send(response, 200, { jsonrpc: '2.0', id: 1, result: { resultType: 'complete' } })
  }

  const metadata = (openId: boolean) => ({
    issuer: `${origin}/as${rows['metadata.issuerSuffix']}`,
    authorization_endpoint: `${origin}/as/authorize`,
    token_endpoint: `${origin}${openId ? rows['metadata.openIdToken'] : '/as/token'}`,
    registration_endpoint: `${origin}/as/register`,
    revocation_endpoint: new URL(rows['metadata.revocation'], origin).href,
    response_types_supported: ['code'],
    code_challenge_methods_supported: rows['metadata.pkceMethods'] ?? undefined,
    authorization_response_iss_parameter_supported: rows['metadata.iss'] ?? undefined,
    client_id_metadata_document_supported: true
  })

  const register = (response: ServerResponse, body: string): void => {
    const { redirect_uris: redirects } = JSON.parse(body) as { redirect_uris: string[] }
    const isAllowed = (uri: string) => uri.startsWith('https://') || (/^http:\/\/127\.0\.0\.1[:/]/.test(uri) && !uri.includes('#'))
    if (!rows['registration.anyRedirect'] && !redirects.every(isAllowed)) return send(response, 400, { error: 'invalid_redirect_uri' })
    const id = randomUUID()
    clients.set(id, redirects)
    send(response, 201, { client_id: id, redirect_uris: redirects, token_endpoint_auth_method: 'none' })
  }

  const matches = (asked: string, registered: readonly string[]): boolean => registered.some((uri) => ({
    exact: () => asked === uri,
    prefix: () => asked.startsWith(uri),
    host: () => URL.canParse(asked) && new URL(asked).hostname === new URL(uri).hostname
  })[rows['redirect.match']]())

  const authorize = (response: ServerResponse, { searchParams }: URL): void => {
    const query = Object.fromEntries(searchParams)
    const { client_id: client = '', redirect_uri: redirect = '' } = query
    const answer = (parameters: Record<string, string>): void => {
      const to = new URL(redirect)
      const all = {
        ...parameters,
        ...(rows['response.state'] && query['state'] !== undefined && { state: query['state'] }),
        ...(rows['response.iss'] && { iss: `${origin}/as${rows['response.issSuffix']}` })
      }
      for (const [name, value] of Object.entries(all)) to.searchParams.set(name, value)
      response.writeHead(303, { location: to.href }).end()
    }
    if (rows['documents.private'] && client.startsWith('http')) {
      requestHttp(client.replace('https:', 'http:')).on('error', () => {}).on('response', (reply) => { reply.resume() }).on('close', () => page(response, 400, 'No document.')).end()
      return
    }
    const registered = clients.get(client)
    if (!registered) return rows['client.unknown'] === 'redirect' ? answer({ error: 'unauthorized_client' }) : page(response, 400, 'Unknown client.')
    if (!matches(redirect, registered)) return page(response, 400, 'Another redirect address.')
    const { code_challenge: challenge, code_challenge_method: method = 'plain', resource = `${origin}/mcp` } = query
    if (rows['pkce.required'] && challenge === undefined) return answer({ error: 'invalid_request' })
    if (!rows['pkce.plain'] && challenge !== undefined && method !== 'S256') return answer({ error: 'invalid_request' })
    if (rows['token.audience'] && resource !== `${origin}/mcp`) return answer({ error: 'invalid_target' })
    if (rows['person.page'] && query['signed'] === undefined) return page(response, 200, 'Sign in.')
    const code = randomUUID()
    codes.set(code, { client, redirect, challenge, method, resource, grant: randomUUID(), used: false })
    answer({ code })
  }

  const isVerified = ({ challenge, method }: Code, verifier = ''): boolean =>
    !rows['pkce.verified'] || challenge === undefined || challenge === (method === 'plain' ? verifier : sha256(verifier))

  const token = (response: ServerResponse, form: Record<string, string>): void => {
    const refuse = (error: string): void => send(response, 400, { error }, { 'cache-control': 'no-store' })
    const issue = (grant: Grant, more = {}): void =>
      send(response, 200, { ...mint(grant), ...more }, { 'cache-control': rows['token.cacheControl'] })
    if (form['grant_type'] === 'authorization_code') {
      const code = codes.get(form['code'] ?? '')
      if (!code || (rows['code.client'] && code.client !== form['client_id']) || code.redirect !== form['redirect_uri']) return refuse('invalid_grant')
      if (code.used && rows['code.once']) {
        if (rows['code.reuseRevokes']) ended.add(code.grant)
        return refuse('invalid_grant')
      }
      if (!isVerified(code, form['code_verifier'])) {
        code.used ||= rows['code.usedUpByFailure']
        return refuse('invalid_grant')
      }
      code.used = true
      return issue(code)
    }
    const refresh = refreshTokens.get(form['refresh_token'] ?? '')
    if (!refresh || ended.has(refresh.grant) || (rows['refresh.client'] && refresh.client !== form['client_id'])) return refuse('invalid_grant')
    if (!rows['refresh.rotates']) return issue(refresh, { refresh_token: form['refresh_token'] })
    if (refresh.usedAt !== undefined && now - refresh.usedAt >= rows['refresh.graceSeconds'] * 1000) return refuse('invalid_grant')
    refresh.usedAt ??= now
    issue(refresh)
  }

  const server = createServer((request, response) => {
    text(request).then((body) => {
      const url = new URL(request.url ?? '/', origin)
      if (request.method === 'OPTIONS') {
        const isOpen = url.pathname === '/as/authorize' ? rows['cors.authorize'] : url.pathname.startsWith('/as/')
        const isCredentialed = rows['cors.credentials'] && url.pathname === '/as/token'
        return send(response, 204, undefined, {
          ...(isOpen && { 'access-control-allow-origin': isCredentialed ? request.headers.origin ?? '*' : '*' }),
          ...(isCredentialed && { 'access-control-allow-credentials': 'true' })
        })
      }
      switch (url.pathname) {
        case '/mcp': return resource(request, response, url, body)
        case '/.well-known/oauth-protected-resource/mcp':
          return send(response, 200, { resource: `${origin}/mcp${rows['resource.suffix']}`, authorization_servers: [`${origin}/as`], scopes_supported: ['read'] })
        case '/.well-known/oauth-authorization-server/as': return send(response, 200, metadata(false))
        case '/.well-known/openid-configuration/as': return send(response, 200, metadata(true))
        case '/as/register': return register(response, body)
        case '/as/authorize': return authorize(response, url)
        case '/as/token': return token(response, fields(body))
        case '/as/revoke': {
          const revoked = refreshTokens.get(fields(body)['token'] ?? '')
          if (revoked && rows['revocation.works']) ended.add(revoked.grant)
          return send(response, 200, {})
        }
        default: return send(response, 404, {})
      }
    }).catch((error: unknown) => { response.destroy(error as Error) })
  })
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${origin}/mcp`,
    /** Lets time pass for it. */
    advance: (ms: number) => { now += ms },
    async close () {
      server.closeAllConnections()
      await new Promise<void>((resolve) => { server.close(() => resolve()) })
    }
  }
}
