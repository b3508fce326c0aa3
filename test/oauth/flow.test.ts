// An application is connected, calls, refreshes and is disconnected: with a document, registered by itself, or by an operator.
// It writes only if its person lets it: on the consent page, or later on the page of connections.
import t from 'tap'
import { meets } from '../conformance/requirements.js'
import { webServer } from '../helpers/web.js'
import { authorize, callMcp, CLAUDE, codeFor, connect, decide, get, postForm, redeem, refresh, register, request, RESOURCE } from '../helpers/oauth.js'

const server = await webServer(t, {}, undefined, { clientDocuments: { resolve: async () => [] } })
const { app, backend, db } = server
const browser = await server.signIn(server.wide.id)

t.test('from a 401 to tools, as a client finds its way', async (t) => {
  const refused = await callMcp(app, undefined)
  t.equal(refused.status, 401)
  const challenge = String(refused.headers['www-authenticate'])
  t.notMatch(challenge, /error=/)
  t.match(challenge, 'scope="read"')
  const metadataUrl = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? ''
  t.equal(metadataUrl, 'http://localhost:8080/.well-known/oauth-protected-resource/oauth/mcp')
  const resource = await get(app, new URL(metadataUrl).pathname)
  t.match(resource, { status: 200, body: { resource: RESOURCE, authorization_servers: [RESOURCE], scopes_supported: ['read', 'write'] } })
  const metadata = await get<Record<string, string>>(app, '/.well-known/oauth-authorization-server/oauth/mcp')
  t.match(metadata, { status: 200, body: { issuer: RESOURCE, authorization_endpoint: `${RESOURCE}/authorize`, token_endpoint: `${RESOURCE}/token` } })

  const asked = request()
  const { status, location, ticket } = await authorize(browser, asked.query)
  t.equal(status, 303)
  t.equal(location.pathname, '/oauth/consent')
  const shown = await browser.call('POST', '/oauth/consent/lookup', { ticket })
  t.match(shown, {
    status: 200,
    body: {
      client: { name: 'Claude', vouched_by: { kind: 'document', host: 'claude.ai' } },
      redirect: { host: 'claude.ai', loopback: false },
      scopes: ['read'],
      asks_to_write: false,
      lifetime_days: 90,
      user: { email: server.wide.email }
    }
  })
  const answer = await decide(browser, ticket)
  t.equal(`${answer.origin}${answer.pathname}`, CLAUDE.redirect_uri)
  t.same(answer.searchParams.getAll('state'), ['a state & more'])
  t.same(answer.searchParams.getAll('iss'), [RESOURCE])

  const tokens = await redeem(app, answer.searchParams.get('code') ?? '', asked)
  t.match(tokens, { status: 200, headers: { 'cache-control': 'no-store' }, body: { token_type: 'Bearer', expires_in: 28_800, scope: 'read' } })
  t.match(tokens.body.access_token, /^svc_at_/)
  t.match(tokens.body.refresh_token, /^svc_rt_/)
  t.match((await callMcp(app, tokens.body.access_token)).body, { result: { tools: [{}] } })
  t.equal((await callMcp(app, tokens.body.access_token, 'tools/list', {}, '/oauth/mcp/')).status, 200)
  t.match(await callMcp(app, tokens.body.access_token, 'tools/call', { name: 'list_workspaces', arguments: {} }), { status: 200, body: { result: { structuredContent: {} } } })

  const next = await refresh(app, tokens.body.refresh_token)
  t.equal(next.status, 200)
  t.not(next.body.refresh_token, tokens.body.refresh_token)
  t.equal((await callMcp(app, next.body.access_token)).status, 200)

  const { body: { connections } } = await browser.call<{ connections: Array<{ id: string }> }>('GET', '/connections')
  t.match(connections, [{ client: { name: 'Claude', host: 'claude.ai', kind: 'document' }, user: { email: server.wide.email }, workspaces: null, calls_30d: 1 }])
  const [{ id }] = connections as [{ id: string }]
  t.same(await db.query("select credential_kind, user_id from audit_events where credential_id = $1 and action = 'tools/call list_workspaces'", [id]), [
    { credential_kind: 'connection', user_id: server.wide.id }
  ])
  // The host that vouches, the application's own name, and its kind: a key may have the same name.
  t.match(await browser.call('GET', '/usage?by=day&group=credential'), {
    status: 200,
    body: {
      groups: [{ key: id, label: 'claude.ai (Claude) · application' }],
      limits: [{ credential: { id, name: 'claude.ai (Claude) · application' } }]
    }
  })
  const credential = { id, name: 'claude.ai (Claude)', kind: 'connection', client_kind: 'document' }
  for (const filter of [id, 'claude.ai (Claude)', 'Claude']) {
    t.match(await browser.call('GET', `/audit-events?credential=${encodeURIComponent(filter)}`), {
      status: 200, body: { audit_events: [{ credential }] }
    }, filter)
  }
  for (const filter of ['evil.example (Claude)', 'claude.ai']) {
    t.match(await browser.call('GET', `/audit-events?credential=${encodeURIComponent(filter)}`), { body: { audit_events: { length: 0 } } }, filter)
  }
  t.equal((await browser.call('DELETE', `/connections/${id}`)).status, 200)
  for (const token of [tokens.body.access_token, next.body.access_token]) t.equal((await callMcp(app, token)).status, 401)
  t.match(await refresh(app, next.body.refresh_token), { status: 400, body: { error: 'invalid_grant' } })
  t.same((await browser.call('GET', '/connections')).body, { connections: [] })
})

t.test('a client that registers itself', async (t) => {
  const redirect = 'http://127.0.0.1:43123/callback'
  const { status, body } = await register(app, { client_name: 'An editor', redirect_uris: [redirect], grant_types: ['authorization_code', 'refresh_token'] })
  t.equal(status, 201)
  t.match(body, { client_name: 'An editor', redirect_uris: [redirect], token_endpoint_auth_method: 'none' })
  t.notOk('client_secret' in body)
  const asked = request({ client_id: String(body['client_id']), redirect_uri: 'http://127.0.0.1:50001/callback' })
  const { ticket } = await authorize(browser, asked.query)
  t.match((await browser.call('POST', '/oauth/consent/lookup', { ticket })).body, {
    client: { name: 'An editor', vouched_by: { kind: 'registered', host: null } }, redirect: { host: '127.0.0.1:50001', loopback: true }
  })
  const tokens = await connect(app, browser, asked)
  t.equal((await callMcp(app, tokens.access_token)).status, 200)
  t.match((await browser.call('GET', '/usage?by=day&group=credential')).body, {
    limits: [{ credential: { name: 'An editor · unverified application' } }]
  })
})

t.test('clients of the operator, without and with a secret', async (t) => {
  meets('oauth-client-types')
  const redirectUris = ['https://app.example/callback']
  const common = { kind: 'preregistered' as const, redirectUris, refreshable: true }
  const open = (await backend.oauthClients.create({ ...common, name: 'Open', confidential: false }))!
  const closed = (await backend.oauthClients.create({ ...common, name: 'Closed', confidential: true }))!
  t.equal(open.secret, undefined)
  t.match(closed.secret, /^svc_secret_/)
  const ask = (id: string) => request({ client_id: id, redirect_uri: redirectUris[0] })
  t.equal((await callMcp(app, (await connect(app, browser, ask(open.id))).access_token)).status, 200)

  const asked = ask(closed.id)
  const code = await codeFor(browser, asked)
  t.match(await redeem(app, code, asked), { status: 401, body: { error: 'invalid_client' } })
  t.match(await redeem(app, code, asked, { client_secret: 'svc_secret_WRONG' }), { status: 401, body: { error: 'invalid_client' } })
  const tokens = await redeem(app, code, asked, { client_secret: closed.secret })
  t.equal(tokens.status, 200, 'client_secret_post')
  const basic = { authorization: `Basic ${Buffer.from(`${closed.id}:${closed.secret}`).toString('base64')}` }
  const byHeader = (secret: string) => postForm(app, 'token', { grant_type: 'refresh_token', refresh_token: tokens.body.refresh_token }, {
    authorization: `Basic ${Buffer.from(`${closed.id}:${secret}`).toString('base64')}`
  })
  t.equal((await byHeader(closed.secret!)).status, 200, 'client_secret_basic')
  t.match(await byHeader('wrong'), { status: 401, headers: { 'www-authenticate': /^Basic / }, body: { error: 'invalid_client' } })
  t.match(await postForm(app, 'token', { grant_type: 'refresh_token', refresh_token: tokens.body.refresh_token, client_secret: closed.secret }, basic), {
    status: 400, body: { error: 'invalid_request' }
  }, 'not both')
  await backend.oauthClients.revoke(closed.id)
  t.equal((await callMcp(app, tokens.body.access_token)).status, 401, 'a revoked client has no connections')
  t.match(await authorize(browser, asked.query), { error: 'invalid_client' })
})

const decideWith = async (scope: string, body: object) => {
  const asked = request({ scope })
  const { ticket } = await authorize(browser, asked.query)
  const { body: shown } = await browser.call('POST', '/oauth/consent/lookup', { ticket })
  const { body: { redirect_to: to } } = await browser.call<{ redirect_to: string }>('POST', '/oauth/consent', { ticket, decision: 'allow', ...body })
  const { body: tokens } = await redeem(app, new URL(to).searchParams.get('code') ?? '', asked)
  return { shown, tokens }
}
const scopes = async () => (await db.query<{ scope: string }>("select scope from credentials where kind = 'connection' order by created_at desc limit 1"))[0]?.scope

t.test('what it asks for decides nothing: the person does', async (t) => {
  const asking = await decideWith('read write', {})
  t.match(asking, { shown: { scopes: ['read'], asks_to_write: true }, tokens: { scope: 'read' } }, 'unchecked by default')
  t.equal(await scopes(), 'read')
  t.match(await refresh(app, asking.tokens.refresh_token, { scope: 'read write' }), { status: 400, body: { error: 'invalid_scope' } })

  const allowed = await decideWith('read', { write: true })
  t.match(allowed, { shown: { asks_to_write: false }, tokens: { scope: 'read write' } })
  t.equal(await scopes(), 'read_write')
  t.match(await refresh(app, allowed.tokens.refresh_token, { scope: 'read write offline_access' }), { status: 200, body: { scope: 'read write' } })
  const [row] = await db.query('select action from audit_events where action like \'web/decideConsent%\' order by id desc limit 1')
  t.same(row, { action: `web/decideConsent allow write ${CLAUDE.client_id}` })
})

t.test('a connection is widened and narrowed by its person alone, at once', async (t) => {
  const { access_token: token } = await connect(app, browser)
  const { body: { connections } } = await browser.call<{ connections: Array<{ id: string, scope: string }> }>('GET', '/connections')
  t.match(connections[0], { scope: 'read' })
  const path = `/connections/${connections[0]!.id}`
  const boss = await backend.directory.createUser({ email: 'boss@example.com', name: 'Boss', kind: 'person', serverAdmin: true })
  for (const other of [await server.signIn(boss.id), await server.signIn(server.narrow.id)]) {
    t.match(await other.call('PATCH', path, { write: true }), { status: 404 })
  }
  t.match(await browser.call('PATCH', path, { write: true }), { status: 200, body: { scope: 'read_write' } })
  t.match((await browser.call<{ connections: object[] }>('GET', '/connections')).body.connections[0], { scope: 'read_write' })
  t.equal((await callMcp(app, token)).status, 200, 'its tokens go on')
  t.match(await browser.call('PATCH', path, { write: false }), { status: 200, body: { scope: 'read' } })
  const rows = await db.query<{ action: string }>("select action from audit_events where action like 'web/changeConnection%' and outcome = 'ok' order by id")
  t.same(rows.map(({ action }) => action), ['web/changeConnection write', 'web/changeConnection read'])
})

t.test('without the scope the tools that write are not shown, and a call gets a challenge that names it', async (t) => {
  await db.query("update memberships set role = 'editor' where user_id = $1", [server.wide.id])
  await db.query("update workspaces set agents = 'propose' where slug = 'kiln'")
  const { access_token: token } = await connect(app, browser)
  type List = { result: { tools: Array<{ name: string }> } }
  const listed = async () => (await callMcp<List>(app, token)).body.result.tools.map(({ name }) => name)
  t.notOk((await listed()).includes('claim_item'))
  const refused = await callMcp(app, token, 'tools/call', { name: 'claim_item', arguments: {} })
  t.equal(refused.status, 403)
  t.match(refused.headers['www-authenticate'], 'error="insufficient_scope", scope="read write"')
  const { body: { connections } } = await browser.call<{ connections: Array<{ id: string }> }>('GET', '/connections')
  await browser.call('PATCH', `/connections/${connections[0]!.id}`, { write: true })
  t.ok((await listed()).includes('claim_item'), 'with the same token')
  t.match((await callMcp(app, token, 'tools/call', { name: 'claim_item', arguments: {} })).body, { result: { isError: true } }, 'its arguments are looked at now')
})
