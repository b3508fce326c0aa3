/** An authorization server for the example with OAuth. It allows whatever it is asked for, and issues no refresh tokens. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'

/**
 * @typedef {{ scope: string, audience: string }} Grant
 * @typedef {{ issuer: string, asked: string[], close: () => void }} AuthorizationServer `asked`: the scopes of each authorization request
 */

/**
 * Starts it on a free port of loopback.
 * @param {Record<string, Grant>} tokens access tokens that exist from the start
 * @returns {Promise<AuthorizationServer>}
 */
export const startAuthorizationServer = async (tokens = {}) => {
  /** @type {Map<string, Grant>} */
  const granted = new Map(Object.entries(tokens))
  /** @type {Map<string, Grant & { challenge: string }>} */
  const codes = new Map()
  /** @type {string[]} */
  const asked = []
  const secret = () => randomBytes(16).toString('hex')

  /** @type {Record<string, (parameters: URLSearchParams) => object | URL>} */
  const answers = {
    '/.well-known/oauth-authorization-server': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none']
    }),
    '/register': () => ({ client_id: 'example', redirect_uris: ['http://127.0.0.1/callback'], token_endpoint_auth_method: 'none' }),
    '/authorize' (query) {
      const code = secret()
      const scope = query.get('scope') ?? ''
      asked.push(scope)
      codes.set(code, { scope, audience: query.get('resource') ?? '', challenge: query.get('code_challenge') ?? '' })
      const to = new URL(query.get('redirect_uri') ?? '')
      to.searchParams.set('code', code)
      if (query.has('state')) to.searchParams.set('state', query.get('state') ?? '')
      return to
    },
    '/token' (form) {
      const code = codes.get(form.get('code') ?? '')
      codes.delete(form.get('code') ?? '')
      if (code?.challenge !== createHash('sha256').update(form.get('code_verifier') ?? '').digest('base64url')) return { error: 'invalid_grant' }
      const token = secret()
      granted.set(token, code)
      return { access_token: token, token_type: 'Bearer', expires_in: 3600, scope: code.scope }
    },
    '/introspect' (form) {
      const grant = granted.get(form.get('token') ?? '')
      return grant ? { active: true, sub: 'ada', aud: grant.audience, scope: grant.scope } : { active: false }
    }
  }

  const server = createServer(async (request, reply) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer)
    let body = ''
    for await (const part of request) body += part
    const answer = answers[pathname]?.(request.method === 'POST' ? new URLSearchParams(body) : searchParams) ?? { error: 'not_found' }
    if (answer instanceof URL) reply.writeHead(303, { location: answer.href }).end()
    else reply.writeHead('error' in answer ? 400 : pathname === '/register' ? 201 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const issuer = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  return {
    issuer,
    asked,
    close () {
      server.closeAllConnections()
      server.close()
    }
  }
}
