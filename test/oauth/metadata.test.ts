// The resource and its metadata: each address that a client derives, the challenge, what is refused and how; and a host name of its own.
import t from 'tap'
import { meets } from '../conformance/requirements.js'
import { readConfig } from '../../src/config/config.js'
import { oauthChallenge } from '../../src/oauth/scope.js'
import { oauthHostRouting } from '../../src/oauth/host-routing.js'
import { isOAuthEnabled } from '../../src/oauth/is-enabled.js'
import { testConfig, type TestFlags } from '../helpers/config.js'
import { readingTools } from '../helpers/reading-tools.js'
import { callMcp, CLAUDE, connect, form, get, postForm, register, request, RESOURCE } from '../helpers/oauth.js'
import { webServer } from '../helpers/web.js'

const offline = { clientDocuments: { resolve: async () => [] } }
const server = await webServer(t, {}, undefined, offline)
const { app } = server
const browser = await server.signIn(server.wide.id)
type Metadata = Record<string, unknown>

t.test('the resource', async (t) => {
  meets('oauth-resource-metadata', 'oauth-authorization-servers', 'oauth-resource-metadata-address', 'oauth-no-offline-access', 'oauth-discovery')
  const plain = await get(app, '/.well-known/oauth-protected-resource/oauth/mcp')
  t.match(plain, { status: 200, headers: { 'content-type': /^application\/json/, 'access-control-allow-origin': '*', 'cache-control': /max-age/ } })
  t.strictSame(plain.body, {
    resource: RESOURCE, authorization_servers: [RESOURCE], scopes_supported: ['read', 'write'], bearer_methods_supported: ['header'], resource_name: 'exploration-mcp'
  })
  t.match((await get(app, '/.well-known/oauth-protected-resource/oauth/mcp/')).body, { resource: `${RESOURCE}/` }, 'as someone typed it')
  t.match((await get(app, '/.well-known/oauth-protected-resource/oauth/mcp', { host: '127.0.0.1:8080' })).body, {
    resource: 'http://127.0.0.1:8080/oauth/mcp', authorization_servers: [RESOURCE]
  }, 'another name of this machine')
  t.equal((await get(app, '/.well-known/oauth-protected-resource/oauth/mcp', { host: 'evil.example' })).status, 403)
  t.equal((await get(app, '/.well-known/oauth-protected-resource/oauth/mcp', { origin: 'https://page.example' })).status, 200)
})

t.test('the authorization server, in every form', async (t) => {
  meets('oauth-server-metadata', 'oauth-iss-advertised', 'oauth-pkce-advertised', 'oauth-documents-advertised', 'oauth-conforms')
  const inserted = ['oauth-authorization-server', 'openid-configuration'].map((name) => `/.well-known/${name}/oauth/mcp`)
  const appended = ['oauth-authorization-server', 'openid-configuration'].map((name) => `/oauth/mcp/.well-known/${name}`)
  for (const path of [...inserted, ...appended].flatMap((one) => [one, `${one}/`])) {
    const { status, headers, body } = await get<Metadata>(app, path)
    t.match({ status, headers, body }, {
      status: 200,
      headers: { 'content-type': /^application\/json/, 'access-control-allow-origin': '*' },
      body: {
        issuer: RESOURCE,
        authorization_endpoint: `${RESOURCE}/authorize`,
        token_endpoint: `${RESOURCE}/token`,
        registration_endpoint: `${RESOURCE}/register`,
        revocation_endpoint: `${RESOURCE}/revoke`,
        code_challenge_methods_supported: ['S256'],
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true
      }
    }, path)
    t.ok((body['scopes_supported'] as string[]).includes('offline_access'))
    if (path.includes('openid')) t.match(body, { jwks_uri: `${RESOURCE}/jwks`, subject_types_supported: ['public'], id_token_signing_alg_values_supported: [String] })
  }
  t.strictSame((await get(app, '/oauth/mcp/jwks')).body, { keys: [] })
  for (const host of ['127.0.0.1:8080', 'localhost']) t.match((await get(app, inserted[0]!, { host })).body, { issuer: RESOURCE }, `the same for ${host}`)
})

t.test('the root has nothing, and says so in JSON', async (t) => {
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-authorization-server', '/.well-known/openid-configuration',
    '/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-authorization-server/mcp', '/register', '/authorize', '/token', '/mcp/.well-known/openid-configuration']) {
    const { status, headers } = await get(app, path)
    t.equal(status, 404, path)
    t.match(headers['content-type'], 'application/json', path)
  }
})

t.test('what is refused, and how', async (t) => {
  meets('oauth-challenge-scope', 'oauth-scope-consistent', 'oauth-error-codes', 'oauth-statuses', 'oauth-no-data', 'oauth-challenge-stable')
  const bare = 'Bearer realm="exploration-mcp", scope="read", resource_metadata="http://localhost:8080/.well-known/oauth-protected-resource/oauth/mcp"'
  for (const [method, url, payload] of [['POST', '/oauth/mcp', '{}'], ['POST', '/oauth/mcp', 'not json'], ['GET', '/oauth/mcp', undefined], ['DELETE', '/oauth/mcp', undefined],
    ['PUT', '/oauth/mcp/', undefined], ['POST', '/oauth/mcp?access_token=svc_at_X', '{}']] as const) {
    const reply = await app.inject({ method, url, headers: { host: 'localhost:8080', ...payload !== undefined && { 'content-type': 'application/json' } }, ...payload !== undefined && { payload } })
    t.equal(reply.statusCode, 401, `${method} ${url}`)
    t.equal(reply.headers['www-authenticate'], bare)
  }
  for (const revision of ['2025-03-26', '2025-11-25', '2026-07-28']) {
    const { status, headers } = await callMcp(app, undefined, 'tools/call', { name: 'list_workspaces' }, '/oauth/mcp/', { 'mcp-protocol-version': revision })
    t.match({ status, challenge: headers['www-authenticate'] }, { status: 401, challenge: bare }, `the same in ${revision}`)
  }
  const wrong = await callMcp(app, 'svc_at_WRONG')
  t.equal(wrong.headers['www-authenticate'], bare.replace(', scope', ', error="invalid_token", scope'))
  t.match((await app.inject({ method: 'POST', url: '/oauth/mcp', headers: { host: 'localhost:8080', authorization: 'Basic eDp5' } })).headers['www-authenticate'], 'invalid_token')
  const { access_token: token } = await connect(app, browser)
  t.equal((await app.inject({ method: 'POST', url: '/oauth/mcp', headers: { host: 'localhost:8080', authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream', 'content-type': 'application/json' }, payload: 'no' })).statusCode, 400)
  t.equal((await app.inject({ method: 'POST', url: '/oauth/mcp', headers: { host: 'localhost:8080', authorization: `Bearer ${token}`, origin: 'https://evil.example' } })).statusCode, 403)
})

t.test('every operation that an application without more sees needs the one scope that the challenge asks for', async (t) => {
  meets('oauth-scope-hierarchy')
  const { access_token: token } = await connect(app, browser)
  const { body } = await callMcp<{ result: { tools: Array<{ name: string }> } }>(app, token)
  t.same(body.result.tools.map(({ name }) => name).sort(), readingTools.map(({ name }) => name).sort())
  await server.db.query("update credentials set scope = 'read_write' where kind = 'connection'")
  t.equal((await callMcp(app, token, 'tools/call', { name: 'list_workspaces', arguments: {} })).status, 200, 'a broader scope has the narrower one')
  t.equal(oauthChallenge(true, RESOURCE, 'read_write'), 'Bearer realm="exploration-mcp", error="insufficient_scope", scope="read write", ' +
    'resource_metadata="http://localhost:8080/.well-known/oauth-protected-resource/oauth/mcp"')
})

t.test('pages of other origins may do what needs no cookie', async (t) => {
  for (const path of ['token', 'register', 'revoke', 'jwks']) {
    const reply = await app.inject({
      method: 'OPTIONS', url: `/oauth/mcp/${path}`, headers: { host: 'localhost:8080', origin: 'https://page.example', 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }
    })
    t.match({ status: reply.statusCode, ...reply.headers }, { status: 204, 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' })
    t.notOk(reply.headers['access-control-allow-credentials'])
  }
  t.match((await postForm(app, 'token', {}, { origin: 'https://page.example' })).headers, { 'access-control-allow-origin': '*', 'cache-control': 'no-store' })
  t.equal((await register(app, { redirect_uris: ['https://page.example/cb'] }, { origin: 'https://page.example' })).status, 201)
  t.equal((await browser.open(`/oauth/mcp/authorize?${form(request().query)}`, { origin: 'https://page.example' })).status, 403)
})

t.test('/mcp is as it was, but that its 401 names the other address', async (t) => {
  const off = await webServer(t, { oauth: 'off' }, server.db)
  const requests = [
    {}, { authorization: 'Bearer svc_key_WRONGWRONG' }, { authorization: 'Bearer ' }, { authorization: 'Bearer svc_at_X' }, { authorization: 'Basic eDp5' }, { origin: 'https://evil.example' }, { host: 'evil.example' }
  ]
  for (const [place, headers] of requests.entries()) {
    for (const method of place === 0 ? ['POST', 'GET', 'DELETE', 'OPTIONS'] as const : ['POST'] as const) {
      const [here, there] = await Promise.all([app, off.app].map((one) => one.inject({
        method, url: '/mcp', headers: { host: 'localhost:8080', 'content-type': 'application/json', ...headers }, payload: '{"jsonrpc":"2.0","id":1,"method":"ping"}'
      })))
      t.equal(here!.statusCode, there!.statusCode)
      const { date: _, 'content-length': __, ratelimit: ___, ...mine } = here!.headers
      const { date: _1, 'content-length': _2, ratelimit: _3, ...theirs } = there!.headers
      t.same(mine, theirs)
      const mention = ` Applications that sign people in, such as Claude.ai and ChatGPT, use ${RESOURCE} instead.`
      if (here!.statusCode === 401) t.match(here!.body, mention)
      t.equal(here!.body.replace(mention, ''), there!.body)
    }
  }
  for (const path of ['/oauth/mcp', '/.well-known/oauth-protected-resource/oauth/mcp', '/oauth/mcp/authorize', '/oauth/mcp/token']) t.equal((await get(off.app, path)).status, 404, path)
  const offBrowser = await off.signIn(off.wide.id)
  t.equal((await offBrowser.call('POST', '/oauth/consent/lookup', { ticket: 'x' })).status, 404)
  t.same((await offBrowser.call('GET', '/connections')).status, 200)
})

t.test('a public address, with and without a path', async (t) => {
  meets('oauth-https')
  const hosted = await webServer(t, { publicUrl: 'https://planning.example/base' }, server.db, offline)
  const headers = { host: 'planning.example' }
  for (const path of ['/.well-known/oauth-protected-resource/oauth/mcp', '/.well-known/oauth-protected-resource/base/oauth/mcp']) {
    t.match((await get(hosted.app, path, headers)).body, { resource: 'https://planning.example/base/oauth/mcp' }, path)
  }
  const { body } = await get<Metadata>(hosted.app, '/.well-known/oauth-authorization-server/base/oauth/mcp', headers)
  for (const [name, value] of Object.entries(body)) if (name.endsWith('_endpoint') || name === 'issuer') t.match(value, /^https:\/\/planning\.example\/base\/oauth\/mcp/, name)
  t.match((await callMcp(hosted.app, undefined, 'tools/list', {}, '/oauth/mcp', headers)).headers['www-authenticate'],
    'resource_metadata="https://planning.example/.well-known/oauth-protected-resource/base/oauth/mcp"')
})

t.test('when it is on', async (t) => {
  const isOn = (flags: TestFlags) => isOAuthEnabled(testConfig(flags), { hasPages: flags.web !== 'off', isFront: false })
  t.equal(isOn({ publicUrl: 'https://planning.example' }), true)
  for (const flags of [{ publicUrl: 'http://planning.example' }, { host: '0.0.0.0' }, { web: 'off' }, { oauthUrl: 'http://connect.example' }]) {
    t.equal(isOn(flags), false, JSON.stringify(flags))
    t.throws(() => isOn({ ...flags, oauth: 'on' }), { message: /^OAUTH/ }, JSON.stringify(flags))
  }
  await t.rejects(webServer(t, { web: 'off', oauth: 'on' }, server.db), { message: /^OAUTH/ }, 'the server does not start')
})

t.test('a host name of its own', async (t) => {
  const own = await webServer(t, { publicUrl: 'https://planning.example', oauthUrl: 'https://connect.example', trustProxy: '1' }, server.db, offline)
  const there = { host: 'connect.example' }
  const resource = 'https://connect.example/mcp'
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) t.match((await get(own.app, path, there)).body, { resource, authorization_servers: [resource] }, path)
  for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration', '/.well-known/oauth-authorization-server/mcp', '/mcp/.well-known/openid-configuration']) {
    t.match((await get(own.app, path, there)).body, { issuer: resource, token_endpoint: `${resource}/token`, authorization_endpoint: 'https://planning.example/oauth/mcp/authorize' }, path)
  }
  const refused = await callMcp(own.app, undefined, 'tools/list', {}, '/mcp', there)
  t.match(refused, { status: 401, headers: { 'www-authenticate': /resource_metadata="https:\/\/connect\.example\/\.well-known\/oauth-protected-resource\/mcp"/ } })
  for (const path of ['/', '/sign-in', '/oauth/mcp', '/web/v1/session', '/mcpx', '/oauth/mcp/authorize', '/mcp/authorize', '/mcp/authorize?x=1', '/mcp/%61uthorize']) t.equal((await get(own.app, path, there)).status, 404, `${path} is not there`)
  for (const path of ['/oauth/mcp', '/oauth/mcp/token', '/.well-known/oauth-protected-resource/oauth/mcp', '/.well-known/oauth-protected-resource']) {
    t.equal((await get(own.app, path, { host: 'planning.example' })).status, 404, `${path} is not here`)
  }
  for (const path of ['/', '/sign-in', '/oauth/mcp', '/web/v1/session']) {
    t.equal((await get(own.app, path, { host: 'CONNECT.example:443' })).status, 404, `${path} is not there, with the port of https either`)
  }
  t.equal((await get(own.app, '/mcp/jwks', { host: 'connect.example:443' })).status, 200)
  for (const path of ['/%6fauth/mcp/jwks', '/oauth/%6dcp/token', 'https://planning.example/oauth/mcp/jwks']) {
    t.equal((await get(own.app, path, { host: 'planning.example' })).status, 404, `${path} is not here`)
  }
  t.match((await callMcp(own.app, undefined, 'tools/list', {}, '/mcp', { host: 'planning.example' })).headers['www-authenticate'], /^Bearer realm="exploration-mcp"$/)
  const person = await own.signIn(own.wide.id)
  const asked = request({ resource })
  const opened = await person.open(`/oauth/mcp/authorize?${form(asked.query)}`)
  const ticket = new URL(String(opened.headers.location), 'https://planning.example').searchParams.get('ticket')
  const { body } = await person.call<{ redirect_to: string }>('POST', '/oauth/consent', { ticket, decision: 'allow', workspaces: 'all' })
  const answer = new URL(body.redirect_to)
  t.equal(answer.searchParams.get('iss'), resource)
  const tokens = await own.app.inject({
    method: 'POST',
    url: '/mcp/token',
    headers: { ...there, 'content-type': 'application/x-www-form-urlencoded' },
    payload: form({ grant_type: 'authorization_code', code: answer.searchParams.get('code') ?? '', client_id: CLAUDE.client_id, code_verifier: asked.verifier, resource })
  })
  t.equal(tokens.statusCode, 200)
  t.equal((await callMcp(own.app, String(tokens.json<Record<string, unknown>>()['access_token']), 'tools/list', {}, '/mcp', there)).status, 200)
  const route = oauthHostRouting(readConfig({}, { oauthUrl: 'https://connect.example' }))!
  t.equal(route({ url: '/mcp/token?x=/mcp', headers: there }), '/oauth/mcp/token?x=/mcp')
})
