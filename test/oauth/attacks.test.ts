// The attacks of RFC 9700 section 4, and where each is tested; those that no other file of this folder has are here.
//
//  4.1 redirect URIs, 4.11 open redirection        authorize.test.ts
//  4.2 Referer, 4.3 history, 4.16 frames           here; secrets.test.ts for what is written down
//  4.12 307                                        authorize.test.ts: each redirect is a 303; here: it takes no form
//  4.4 mix-up (iss)                                authorize.test.ts, flow.test.ts
//  4.5 injected codes, 4.7 CSRF, 4.8 downgrade     authorize.test.ts, tokens.test.ts
//  4.6, 4.17 tokens in the front channel           authorize.test.ts: there is no response_type for them
//  4.9, 4.10 stolen tokens                         tokens.test.ts: audience, lifetimes, revocation; tokens are not bound to a sender
//  4.13 proxies                                    here, test/http/client-address.test.ts
//  4.14 refresh tokens                             tokens.test.ts
//  4.15 a client that passes for a person          here
import t from 'tap'
import { meets } from '../conformance/requirements.js'
import { authorize, callMcp, CLAUDE, codeFor, connect, form, get, postForm, redeem, register, request } from '../helpers/oauth.js'
import { webServer } from '../helpers/web.js'

const server = await webServer(t, {}, undefined, { clientDocuments: { resolve: async () => [] } })
const { app, backend, db } = server
const browser = await server.signIn(server.wide.id)

t.test('nothing of a request or an answer leaves by a Referer, a frame or a cache', async (t) => {
  meets('oauth-security')
  const asked = request()
  const opened = await browser.open(`/oauth/mcp/authorize?${form(asked.query)}`)
  const page = await browser.open(String(opened.headers.location))
  t.match(opened.headers, { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store', 'content-security-policy': /frame-ancestors 'none'/ })
  t.match(page.headers, { 'referrer-policy': /^(?:no-referrer|same-origin)$/, 'x-frame-options': 'DENY', 'content-security-policy': /frame-ancestors 'none'/ })
  const { ticket } = await authorize(browser, asked.query)
  const decision = await browser.call('POST', '/oauth/consent', { ticket, decision: 'allow', workspaces: 'all' })
  t.match(decision.headers, { 'cache-control': /no-store/ }, 'the address with the code')
  const tokens = await redeem(app, String(new URL(String(decision.body['redirect_to'])).searchParams.get('code')), asked)
  t.match(tokens, { status: 200, headers: { 'cache-control': 'no-store', pragma: 'no-cache' } })
  t.match((await postForm(app, 'token', {})).headers, { 'cache-control': 'no-store' }, 'refusals too')
  t.match((await register(app, { redirect_uris: ['https://app.example/cb'] })).headers, { 'cache-control': 'no-store' })
})

t.test('credentials count where they belong only: in the form and in the header', async (t) => {
  const asked = request()
  const code = await codeFor(browser, asked)
  const fields = form({ grant_type: 'authorization_code', code, client_id: CLAUDE.client_id, code_verifier: asked.verifier })
  t.equal((await postForm(app, `token?${fields}`, {})).status, 401, 'in the query of a POST')
  t.equal((await get(app, `/oauth/mcp/token?${fields}`)).status, 404, 'in that of a GET')
  const { body: { access_token: token } } = await redeem(app, code, asked)
  t.equal((await callMcp(app, undefined, 'tools/list', { access_token: token })).status, 401, 'in the message')
  t.equal((await app.inject({
    method: 'POST', url: '/oauth/mcp', headers: { host: 'localhost:8080', 'content-type': 'application/x-www-form-urlencoded' }, payload: form({ access_token: token })
  })).statusCode, 401, 'in a form')
  t.equal((await app.inject({ method: 'POST', url: '/oauth/mcp', headers: { host: 'localhost:8080', cookie: `access_token=${token}` } })).statusCode, 401, 'in a cookie')
  t.equal((await callMcp(app, token)).status, 200)
  t.equal((await postForm(app, 'authorize', request().query)).status, 404, 'people authorize by no form')
})

t.test('what a request says of proxies and hosts changes no address', async (t) => {
  const spoofed = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example;proto=https', 'x-original-host': 'evil.example' }
  for (const path of ['/.well-known/oauth-protected-resource/oauth/mcp', '/.well-known/oauth-authorization-server/oauth/mcp', '/oauth/mcp/.well-known/openid-configuration']) {
    const { status, text } = await get(app, path, spoofed)
    t.equal(status, 200)
    t.notMatch(text, 'evil.example')
  }
  t.notMatch((await callMcp(app, undefined, 'tools/list', {}, '/oauth/mcp', spoofed)).headers['www-authenticate'], 'evil.example')
  const opened = await browser.open(`/oauth/mcp/authorize?${form(request().query)}`, spoofed)
  t.match(opened.headers.location, /^\/oauth\/consent/)
})

t.test('a client that registers itself is that, whatever it says', async (t) => {
  const known = (await backend.oauthClients.create({ kind: 'preregistered', name: 'Own', redirectUris: ['https://own.example/cb'], refreshable: true, confidential: true }))!
  for (const id of [CLAUDE.client_id, known.id]) {
    const { status, body } = await register(app, {
      client_id: id, client_secret: 'mine', kind: 'preregistered', token_endpoint_auth_method: 'client_secret_post', client_name: 'Claude', scope: 'admin', redirect_uris: ['https://evil.example/cb']
    })
    t.equal(status, 201)
    t.not(body['client_id'], id)
    t.match(body, { token_endpoint_auth_method: 'none', scope: 'read write' })
    t.notOk('client_secret' in body)
    const asked = request({ client_id: String(body['client_id']), redirect_uri: 'https://evil.example/cb', scope: 'admin read_write write' })
    const { ticket } = await authorize(browser, asked.query)
    t.match((await browser.call('POST', '/oauth/consent/lookup', { ticket })).body, { client: { vouched_by: { kind: 'registered', host: null } }, scopes: ['read'], asks_to_write: true })
    t.match(await connect(app, browser, asked), { scope: 'read' })
  }
  t.equal((await authorize(browser, request({ redirect_uri: 'https://evil.example/cb' }).query)).error, 'invalid_redirect_uri', 'the document of Claude is as before')
  t.equal((await authorize(browser, request({ client_id: known.id, redirect_uri: 'https://evil.example/cb' }).query)).error, 'invalid_redirect_uri')
  t.same(await db.query("select distinct scope from credentials where kind = 'connection'"), [{ scope: 'read' }])
})
