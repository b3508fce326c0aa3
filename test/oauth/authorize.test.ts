// The authorization endpoint and consent, as attackers use them: the list of RFC 9700, and what clients get wrong.
import t from 'tap'
import { meets } from '../conformance/requirements.js'
import { authorize, CLAUDE, connect, decide, form, redeem, register, request, RESOURCE } from '../helpers/oauth.js'
import { webServer } from '../helpers/web.js'

const server = await webServer(t, {}, undefined, { clientDocuments: { resolve: async () => [] } })
const { app, backend, db } = server
const browser = await server.signIn(server.wide.id)
type Problem = { error: string, description: string, redirect: { host: string, to: string } | null, code: string }
const errorOf = async (ticket: string | null) => (await browser.call<Problem>('POST', '/oauth/consent/error', { ticket })).body

t.test('an address that is not the client\'s is never redirected to', async (t) => {
  meets('oauth-redirect-exact', 'oauth-no-untrusted-redirect', 'oauth-redirect-https')
  const uris = [
    'https://claude.ai/api/mcp/auth_callback/', 'https://claude.ai/api/mcp/auth_callback?x=1', 'https://claude.ai/api/mcp/AUTH_callback', 'https://CLAUDE.ai/api/mcp/auth_callback',
    'https://claude.ai:443/api/mcp/auth_callback', 'https://claude.ai:8443/api/mcp/auth_callback', 'http://claude.ai/api/mcp/auth_callback',
    'https://user@claude.ai/api/mcp/auth_callback', 'https://claude.ai@evil.example/api/mcp/auth_callback', 'https://claude.ai.evil.example/api/mcp/auth_callback',
    'https://claude.ai/api/mcp/../mcp/auth_callback', 'https://claude.ai/api/mcp/auth_callback#f', 'https://claude.ai\\@evil.example/', 'javascript:alert(1)',
    'cursor://anysphere/callback', '//claude.ai/api/mcp/auth_callback', 'https://claude.ai/api/mcp/auth_callback%00', 'https://evil.example/'
  ]
  for (const uri of uris) {
    const { status, location, error, ticket } = await authorize(browser, request({ redirect_uri: uri }).query)
    t.match({ status, error, path: location.pathname }, { status: 303, error: 'invalid_redirect_uri', path: '/oauth/consent' }, uri)
    t.match(await errorOf(ticket), { code: 'invalid_redirect_uri', redirect: null }, 'and no link either')
  }
  for (const over of [{ client_id: undefined }, { client_id: 'unknown' }, { client_id: '00000000-0000-4000-8000-000000000000' }]) {
    const { location, ticket } = await authorize(browser, request(over).query)
    t.equal(location.pathname, '/oauth/consent')
    t.equal((await errorOf(ticket)).redirect, null)
  }
  for (const twice of ['client_id', 'redirect_uri']) {
    const { error, ticket } = await authorize(browser, `${form(request().query)}&${twice}=x`)
    t.equal(error, 'invalid_request')
    t.equal((await errorOf(ticket)).redirect, null)
  }
})

t.test('loopback: the port is free, and nothing else', async (t) => {
  const { body } = await register(app, { redirect_uris: ['http://127.0.0.1:33418/cb', 'http://[::1]/cb'], client_name: 'Native' })
  const error = async (uri: string) => (await authorize(browser, request({ client_id: String(body['client_id']), redirect_uri: uri }).query)).error
  for (const uri of ['http://127.0.0.1:33418/cb', 'http://127.0.0.1:1/cb', 'http://127.0.0.1/cb', 'http://[::1]:65535/cb']) t.equal(await error(uri), null, uri)
  for (const uri of ['http://localhost:33418/cb', 'http://127.0.0.1:33418/', 'http://127.0.0.1:33418/cb?x', 'https://127.0.0.1:33418/cb', 'http://127.0.0.2/cb', 'http://127.0.0.1:33418@evil.example/cb',
    'http://127.0.0.1:123456/cb', 'http://127.0.0.1.evil.example/cb', 'http://2130706433/cb']) t.equal(await error(uri), 'invalid_redirect_uri', uri)
})

t.test('a wrong request of a client that registered itself gets a page with a link; that of an operator\'s client is answered', async (t) => {
  meets('oauth-redirect-trusted', 'oauth-iss', 'oauth-pkce')
  const wrong: Array<[over: Record<string, string | undefined>, error: string]> = [
    [{ code_challenge: undefined }, 'invalid_request'], [{ code_challenge_method: undefined }, 'invalid_request'], [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'], [{ code_challenge: 'x'.repeat(44) }, 'invalid_request'],
    [{ response_type: undefined }, 'invalid_request'], [{ response_type: 'token' }, 'unsupported_response_type'], [{ response_type: 'code id_token' }, 'unsupported_response_type'],
    [{ response_mode: 'fragment' }, 'invalid_request'], [{ response_mode: 'form_post' }, 'invalid_request'], [{ request: 'eyJ' }, 'request_not_supported'],
    [{ request_uri: 'https://evil.example/r' }, 'request_uri_not_supported'], [{ prompt: 'none' }, 'interaction_required'],
    [{ resource: 'https://other.example/mcp' }, 'invalid_target'], [{ resource: `${RESOURCE}#f` }, 'invalid_target'], [{ resource: 'http://localhost:8080/mcp' }, 'invalid_target'],
    [{ resource: 'http://user@localhost:8080/oauth/mcp' }, 'invalid_target']
  ]
  const own = (await backend.oauthClients.create({ kind: 'preregistered', name: 'Own', redirectUris: ['https://app.example/cb?keep=1'], refreshable: true, confidential: false }))!
  for (const [over, error] of wrong) {
    const { location, ticket, error: code } = await authorize(browser, request(over).query)
    t.equal(location.pathname, '/oauth/consent', JSON.stringify(over))
    t.equal(code, error)
    const { redirect } = await errorOf(ticket)
    const link = new URL(redirect?.to ?? '')
    t.equal(`${link.origin}${link.pathname}`, CLAUDE.redirect_uri)
    t.same(['error', 'state', 'iss'].map((name) => link.searchParams.getAll(name)), [[error], ['a state & more'], [RESOURCE]])

    const answered = await authorize(browser, request({ client_id: own.id, redirect_uri: 'https://app.example/cb?keep=1', ...over }).query)
    t.equal(answered.location.origin, 'https://app.example')
    t.same(['keep', 'error', 'state', 'iss'].map((name) => answered.location.searchParams.getAll(name)), [['1'], [error], ['a state & more'], [RESOURCE]])
  }
  const two = await authorize(browser, `${form(request().query)}&resource=${encodeURIComponent('https://other.example/mcp')}`)
  t.equal(two.error, 'invalid_target')
  const repeated = await authorize(browser, `${form(request().query)}&state=two`)
  t.equal(repeated.error, 'invalid_request')
  t.notMatch((await errorOf(repeated.ticket)).redirect?.to, /state=/)
  t.equal((await authorize(browser, request({ state: 'x'.repeat(2001) }).query)).error, 'invalid_request')
  t.equal((await authorize(browser, `${form(request().query)}&x=${'y'.repeat(4000)}`)).error, 'invalid_request')
})

t.test('what clients leave out or write otherwise', async (t) => {
  meets('oauth-resource-case', 'oauth-resource-slash')
  for (const over of [
    { resource: undefined, scope: undefined, state: undefined }, { scope: 'read offline_access openid' }, { scope: 'nothing' }, { prompt: 'consent' }, { response_mode: 'query' },
    { resource: `${RESOURCE}/` }, { resource: 'HTTP://LOCALHOST:8080/oauth/mcp' }, { resource: 'http://127.0.0.1:8080/oauth/mcp' }, { state: '' }, { nonce: 'n', login_hint: 'x' }
  ] as Array<Record<string, string | undefined>>) {
    const asked = request(over)
    const { ticket, error } = await authorize(browser, asked.query)
    t.equal(error, null, JSON.stringify(over))
    const answer = await decide(browser, ticket)
    t.equal(answer.searchParams.has('state'), over['state'] === undefined && !('state' in over))
    const tokens = await redeem(app, answer.searchParams.get('code') ?? '', asked)
    t.match(tokens, { status: 200, body: { scope: 'read', refresh_token: String } })
  }
  const { body } = await register(app, { redirect_uris: ['https://one.example/cb'] })
  t.notOk('refresh_token' in await connect(app, browser, request({ client_id: String(body['client_id']), redirect_uri: undefined })), 'one address may be left out; no refresh was asked for')
  t.ok('refresh_token' in await connect(app, browser, request({ client_id: String(body['client_id']), redirect_uri: 'https://one.example/cb', scope: 'offline_access' })))
})

t.test('the decision belongs to the session that asked', async (t) => {
  meets('oauth-consent-per-client')
  const { ticket } = await authorize(browser, request().query)
  const same = await server.signIn(server.wide.id)
  const another = await server.signIn(server.narrow.id)
  for (const [name, other] of Object.entries({ same, another })) {
    for (const path of ['/oauth/consent/lookup', '/oauth/consent']) {
      const answer = await other.call('POST', path, { ticket, ...path === '/oauth/consent' && { decision: 'allow' } })
      t.match(answer, { status: 422, body: { detail: /someone else/ } }, `${name} ${path}`)
    }
  }
  t.equal((await server.browser().call('POST', '/oauth/consent', { ticket, decision: 'allow' })).status, 401)
  for (const headers of [{ origin: 'https://evil.example' }, { origin: undefined }, { 'x-exploration-mcp': undefined }]) {
    t.equal((await browser.call('POST', '/oauth/consent', { ticket, decision: 'allow' }, headers)).status, 403)
  }
  const forged = [`${ticket}x`, ticket?.replace(/^./, 'Z'), `${ticket?.split('.')[0]}.`, 'x.y', Buffer.from('{}').toString('base64url')]
  for (const wrong of forged) t.equal((await browser.call('POST', '/oauth/consent', { ticket: wrong, decision: 'allow' })).status, 422)
  const broken = await authorize(browser, request({ prompt: 'none' }).query)
  t.equal((await browser.call('POST', '/oauth/consent', { ticket: broken.ticket, decision: 'allow' })).status, 422, 'an error is no request')

  const gone = await server.signIn(server.wide.id)
  const unasked = await authorize(gone, request().query)
  await gone.call('DELETE', '/session')
  t.equal((await gone.call('POST', '/oauth/consent', { ticket: unasked.ticket, decision: 'allow' })).status, 401, 'signed out in between')

  const before = await db.query('select count(*)::int as count from oauth_codes')
  const denial = await decide(browser, ticket, 'deny')
  t.same(['error', 'state', 'iss', 'code'].map((name) => denial.searchParams.getAll(name)), [['access_denied'], ['a state & more'], [RESOURCE], []])
  t.same(await db.query('select count(*)::int as count from oauth_codes'), before)
  t.ok((await authorize(browser, request().query)).ticket, 'it is asked each time')
  t.match(await db.query("select user_id from audit_events where action like 'web/decideConsent deny %'"), [{ user_id: server.wide.id }])
})

t.test('the person is told where the answer goes, and whether that is a program on their own machine', async (t) => {
  // What the page makes of it: test/web/browser/oauth.test.ts.
  meets('oauth-redirect-host-shown', 'oauth-loopback-warning')
  const shown: Array<[uri: string, redirect: { host: string, loopback: boolean }]> = [
    ['https://app.example/cb', { host: 'app.example', loopback: false }], ['https://app.example:8443/cb', { host: 'app.example:8443', loopback: false }],
    ['https://localhost.evil.example/cb', { host: 'localhost.evil.example', loopback: false }], ['http://localhost:1234/cb', { host: 'localhost:1234', loopback: true }],
    ['http://127.0.0.1:1234/cb', { host: '127.0.0.1:1234', loopback: true }], ['http://[::1]:1234/cb', { host: '[::1]:1234', loopback: true }]
  ]
  const { body } = await register(app, { client_name: 'claude.ai', redirect_uris: shown.map(([uri]) => uri) })
  for (const [uri, redirect] of shown) {
    const asked = request({ client_id: String(body['client_id']), redirect_uri: uri })
    const { ticket } = await authorize(browser, asked.query)
    t.match((await browser.call('POST', '/oauth/consent/lookup', { ticket })).body, { redirect, client: { name: 'claude.ai', vouched_by: { kind: 'registered', host: null } } }, uri)
    const wrong = await authorize(browser, { ...asked.query, prompt: 'none' })
    t.match((await errorOf(wrong.ticket)).redirect, redirect)
  }
})

t.test('someone who is not signed in comes back after it', async (t) => {
  const asked = request()
  const { status, location } = await authorize(server.browser(), asked.query)
  t.equal(status, 303)
  t.equal(location.pathname, '/sign-in')
  const back = location.searchParams.get('return') ?? ''
  t.equal(back, `/oauth/mcp/authorize?${form(asked.query)}`)
  const reply = await browser.open(back)
  t.match(String(reply.headers.location), /^\/oauth\/consent\?ticket=/)
  t.match(reply.headers, { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'content-security-policy': /frame-ancestors 'none'/ })
})

t.test('names of clients are shown as text', async (t) => {
  const { body } = await register(app, { client_name: 'Claude\u202e\n<b>', client_uri: 'javascript:alert(1)', redirect_uris: ['https://evil.example/cb'] })
  const { ticket } = await authorize(browser, request({ client_id: String(body['client_id']), redirect_uri: 'https://evil.example/cb' }).query)
  const { text } = await browser.call('POST', '/oauth/consent/lookup', { ticket })
  t.notMatch(text, '\u202e')
  t.notMatch(text, 'javascript:')
})

t.test('registration is bounded', async (t) => {
  meets('oauth-registration')
  const refused: Array<[metadata: unknown, error: string]> = [
    [{ redirect_uris: ['http://evil.example/cb'] }, 'invalid_redirect_uri'], [{ redirect_uris: ['https://good.example/cb', 'http://evil.example/cb'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['cursor://cb'] }, 'invalid_redirect_uri'], [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'], [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{}, 'invalid_redirect_uri'], [{ redirect_uris: ['https://a.example/#f'] }, 'invalid_redirect_uri'], [{ redirect_uris: ['https://u@a.example/'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: Array.from({ length: 21 }, (_, n) => `https://a.example/${n}`) }, 'invalid_redirect_uri'], [[], 'invalid_client_metadata'],
    [{ redirect_uris: ['https://a.example/'], grant_types: ['implicit'] }, 'invalid_client_metadata'], [{ redirect_uris: ['https://a.example/'], response_types: ['token'] }, 'invalid_client_metadata'],
    ['{', 'invalid_request']
  ]
  await db.query("delete from oauth_clients where kind = 'registered'")
  const bounded = await webServer(t, { oauthRegistrationsPerHour: '17', oauthMaxClients: '2' }, db)
  for (const [metadata, error] of refused) {
    t.match(await register(bounded.app, metadata), { status: 400, body: { error } }, JSON.stringify(metadata).slice(0, 100))
  }
  const cursor = { redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback', 'https://www.cursor.com/agents/mcp/oauth/callback', 'http://localhost:8787/callback'] }
  t.match(await register(bounded.app, { ...cursor, token_endpoint_auth_method: 'client_secret_basic', grant_types: ['authorization_code', 'refresh_token', 'urn:x'] }), {
    status: 201, body: { redirect_uris: cursor.redirect_uris.slice(1), token_endpoint_auth_method: 'none', grant_types: ['authorization_code', 'refresh_token'] }
  })
  t.equal((await register(bounded.app, cursor)).status, 201)
  t.match(await register(bounded.app, cursor), { status: 503, body: { error: 'temporarily_unavailable' } }, 'in all')
  t.equal((await register(bounded.app, { padding: 'x'.repeat(9000) })).status, 413)
  t.match(await register(bounded.app, cursor), { status: 429, headers: { 'retry-after': /\d/ }, body: { error: 'slow_down' } }, 'by address')
  const closed = await webServer(t, { oauthAllowedClientHosts: 'cursor.com' }, db)
  t.match(await register(closed.app, cursor), { status: 403, body: { error: 'access_denied' } })
})
