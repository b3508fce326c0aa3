// Tokens: bound to one address and one client, rotated with forgiveness, ended at once; whatever the clocks of servers say.
import t, { type Test } from 'tap'
import { meets } from '../conformance/requirements.js'
import { modern } from '../helpers/build.js'
import { authorize, callMcp, CLAUDE, codeFor, connect, decide, get, postForm, redeem, refresh, request, RESOURCE } from '../helpers/oauth.js'
import { session, wireTo } from '../helpers/wire.js'
import { ORIGIN, webServer } from '../helpers/web.js'

const offline = { clientDocuments: { resolve: async () => [] } }
const server = await webServer(t, { rateLimitReadPerMinute: '100000', publicUrl: ORIGIN }, undefined, offline)
const { app, db, backend } = server
const browser = await server.signIn(server.wide.id)

/** Moves everything of the tokens into the past, as if so much time had gone by. */
const pass = (seconds: number) => db.script(`
  update connection_tokens set expires_at = expires_at - interval '${seconds} seconds', used_at = used_at - interval '${seconds} seconds';
  update credentials set expires_at = expires_at - interval '${seconds} seconds' where kind = 'connection';
  update oauth_codes set expires_at = expires_at - interval '${seconds} seconds', used_at = used_at - interval '${seconds} seconds';`)

t.test('many processes refresh at once, with one token; each gets tokens that work', async (t) => {
  meets('oauth-rotation')
  const { refresh_token: token } = await connect(app, browser)
  const all = await Promise.all(Array.from({ length: 12 }, () => refresh(app, token)))
  t.same(all.map(({ status }) => status), Array(12).fill(200))
  t.equal(new Set(all.flatMap(({ body }) => [body.access_token, body.refresh_token])).size, 24, 'new ones each time')
  for (const { body } of all.slice(0, 2)) {
    t.equal((await callMcp(app, body.access_token)).status, 200)
    t.equal((await refresh(app, body.refresh_token)).status, 200)
  }
  const lines = async () => (await browser.call<{ connections: Array<{ token_lines: number }> }>('GET', '/connections')).body.connections[0]!.token_lines
  t.equal(await lines(), 12, 'two of them were refreshed again, the others are unused')
  await pass(40)
  t.equal((await refresh(app, token)).status, 200, 'within a minute')
  await pass(21)
  const [survivor] = all
  t.match(await refresh(app, token), { status: 400, body: { error: 'invalid_grant' } }, 'later it is a theft')
  t.match(await refresh(app, survivor!.body.refresh_token), { status: 400, body: { error: 'invalid_grant' } }, 'the family is dead')
  t.equal((await callMcp(app, survivor!.body.access_token)).status, 401)
  t.match(await db.query("select actor from audit_events where action = 'credential/revoked'"), [{ actor: /refresh token/ }])
  t.match(await db.query("select outcome from audit_events where action = 'refused POST /oauth/mcp/token'"), [{ outcome: 'unauthorized' }])
})

t.test('a refused refresh leaves the token as it is', async (t) => {
  const { refresh_token: token } = await connect(app, browser)
  t.match(await refresh(app, token, { client_id: 'https://chatgpt.com/oauth/client.json' }), { status: 400, body: { error: 'invalid_grant' } })
  t.match(await refresh(app, token, { resource: 'https://other.example/mcp' }), { status: 400, body: { error: 'invalid_target' } })
  t.match(await refresh(app, token, { scope: 'read admin' }), { status: 400, body: { error: 'invalid_scope' } })
  t.match(await refresh(app, token, { scope: 'read offline_access', resource: `${RESOURCE}/` }), { status: 200, body: { scope: 'read' } })
})

t.test('a code works once, for its client, its address and its verifier; a refusal does not use it up', async (t) => {
  meets('oauth-pkce')
  const asked = request()
  const code = await codeFor(browser, asked)
  const refused: Array<[over: Record<string, string | undefined>, error: string]> = [
    [{ client_id: 'https://chatgpt.com/oauth/client.json' }, 'invalid_grant'], [{ redirect_uri: 'https://claude.com/api/mcp/auth_callback' }, 'invalid_grant'],
    [{ code_verifier: 'x'.repeat(43) }, 'invalid_grant'], [{ code_verifier: undefined }, 'invalid_request'], [{ code_verifier: 'short' }, 'invalid_grant'],
    [{ resource: 'https://other.example/mcp' }, 'invalid_target'], [{ code: undefined }, 'invalid_request'], [{ code: 'svc_code_WRONG' }, 'invalid_grant'],
    [{ client_id: undefined }, 'invalid_client'], [{ grant_type: undefined }, 'invalid_request'], [{ grant_type: 'password' }, 'unsupported_grant_type'],
    [{ grant_type: 'client_credentials' }, 'unsupported_grant_type'], [{ client_secret: 'svc_secret_X' }, 'invalid_client']
  ]
  for (const [over, error] of refused) t.equal((await redeem(app, code, asked, over)).body['error'], error, JSON.stringify(over))
  const { status, body } = await redeem(app, code, asked, { redirect_uri: undefined, resource: undefined })
  t.equal(status, 200)
  t.match(await redeem(app, code, asked), { status: 400, body: { error: 'invalid_grant' } }, 'twice')
  t.equal((await callMcp(app, body.access_token)).status, 401, 'what came of it has ended')
  t.match(await refresh(app, body.refresh_token), { status: 400, body: { error: 'invalid_grant' } })

  const late = await codeFor(browser, asked)
  await pass(61)
  t.match(await redeem(app, late, asked), { status: 400, body: { error: 'invalid_grant' } }, 'after a minute')
  const both = await codeFor(browser, asked)
  const racing = await Promise.all([redeem(app, both, asked), redeem(app, both, asked)])
  t.same(racing.map(({ status }) => status).sort(), [200, 400], 'only one of two at once')
})

t.test('parameters come in a form, once', async (t) => {
  const { refresh_token: token } = await connect(app, browser)
  const fields = { grant_type: 'refresh_token', refresh_token: token, client_id: CLAUDE.client_id }
  t.match(await postForm(app, 'token', JSON.stringify(fields), { 'content-type': 'application/json' }), { status: 400, body: { error: 'invalid_request' } })
  t.match(await postForm(app, 'token', `${new URLSearchParams(fields).toString()}&client_id=x`), { status: 400, body: { error: 'invalid_request' } })
  t.match(await postForm(app, 'token', { ...fields, padding: 'x'.repeat(17_000) }), { status: 413, body: { error: 'invalid_request' } })
  t.equal((await app.inject({ method: 'GET', url: '/oauth/mcp/token', headers: { host: 'localhost:8080' } })).statusCode, 404)
  t.equal((await postForm(app, 'token', fields)).status, 200)
})

t.test('an access token expires; each refresh begins the ninety days anew', async (t) => {
  meets('oauth-short-lived', 'oauth-invalid-401')
  const first = await connect(app, browser)
  t.equal(first.expires_in, 28_800)
  await pass(28_000)
  t.equal((await callMcp(app, first.access_token)).status, 200)
  await pass(801)
  const expired = await callMcp(app, first.access_token)
  t.match(expired, { status: 401, headers: { 'www-authenticate': /error="invalid_token"/ } })
  let { refresh_token: token } = first
  for (let times = 0; times < 3; times++) {
    await pass(89 * 86_400)
    const next = await refresh(app, token)
    t.equal(next.status, 200)
    token = next.body.refresh_token
  }
  await pass(91 * 86_400)
  t.match(await refresh(app, token), { status: 400, body: { error: 'invalid_grant' } })
})

t.test('a clock of a server that jumps changes nothing but its tickets', async (t) => {
  let at = Date.parse('2026-11-22T12:00:00Z')
  const other = await webServer(t, { publicUrl: ORIGIN }, db, { ...offline, now: () => at })
  const person = await other.signIn(server.wide.id)
  const asked = request()
  const { ticket } = await authorize(person, asked.query)
  at += 599_000
  const code = (await decide(person, ticket)).searchParams.get('code') ?? ''
  at += 2000
  t.match(await person.call('POST', '/oauth/consent', { ticket, decision: 'allow' }), { status: 422, body: { detail: /older than ten minutes/ } })
  at += 365 * 86_400_000
  const tokens = await redeem(other.app, code, asked)
  t.equal(tokens.status, 200, 'codes and tokens have the time of the database')
  at -= 3 * 365 * 86_400_000
  t.equal((await callMcp(other.app, tokens.body.access_token)).status, 200)
  t.equal((await refresh(other.app, tokens.body.refresh_token)).status, 200)
})

t.test('revocation by the client (RFC 7009)', async (t) => {
  const revoke = (token: string | undefined, client = CLAUDE.client_id) => postForm(app, 'revoke', { token, client_id: client })
  const tokens = await connect(app, browser)
  for (const other of ['https://chatgpt.com/oauth/client.json']) {
    t.equal((await revoke(tokens.refresh_token, other)).status, 200, 'of another client: silence')
    t.equal((await callMcp(app, tokens.access_token)).status, 200)
  }
  t.equal((await revoke('nonsense')).status, 200)
  t.match(await revoke(undefined), { status: 400, body: { error: 'invalid_request' } })
  t.equal((await revoke(tokens.access_token)).status, 200)
  t.equal((await callMcp(app, tokens.access_token)).status, 401)
  const next = await refresh(app, tokens.refresh_token)
  t.equal(next.status, 200, 'the connection goes on')
  t.equal((await revoke(next.body.refresh_token)).status, 200)
  t.equal((await revoke(next.body.refresh_token)).status, 200)
  t.equal((await callMcp(app, next.body.access_token)).status, 401)
  t.equal((await refresh(app, next.body.refresh_token)).status, 400)
})

t.test('a connection sees what was chosen, and no more than its person', async (t) => {
  const seen = async (token: string) => (await callMcp<{ result: { structuredContent: { workspaces: Array<{ id: string }> } } }>(
    app, token, 'tools/call', { name: 'list_workspaces', arguments: {} })).body.result.structuredContent.workspaces.map(({ id }) => id)
  const [first, second] = await seen((await connect(app, browser)).access_token) as [string, string]
  const narrow = await connect(app, browser, request(), [first])
  t.same(await seen(narrow.access_token), [first])
  t.same(await seen((await refresh(app, narrow.refresh_token)).body.access_token), [first], 'also after a refresh')
  const listed = await browser.call<{ connections: Array<{ workspaces: unknown }> }>('GET', '/connections')
  t.match(listed.body.connections[0], { workspaces: [{ id: first }] })
  const both = await connect(app, browser, request(), [first, second])
  await backend.directory.removeMember({ user: server.wide.id, workspace: second })
  t.same(await seen(both.access_token), [first], 'at the next call')
  await backend.directory.addMember({ user: server.wide.id, workspace: second, role: 'viewer' })
  const { ticket } = await authorize(browser, request().query)
  t.equal((await browser.call('POST', '/oauth/consent', { ticket, decision: 'allow', workspaces: [server.narrow.id] })).status, 404)
})

t.test('anyone who is deactivated has no connections', async (t) => {
  const person = (await backend.directory.createUser({ email: 'leaver@example.com', name: 'Leaver', kind: 'person' })).id
  const theirs = await server.signIn(person)
  const tokens = await connect(app, theirs)
  const asked = request()
  const code = await codeFor(theirs, asked)
  await backend.directory.changeUser({ user: person, active: false })
  t.equal((await callMcp(app, tokens.access_token)).status, 401)
  t.equal((await refresh(app, tokens.refresh_token)).status, 400)
  t.equal((await redeem(app, code, asked)).status, 400)
})

const streamOf = async (t: Test, token: string) => {
  const base = app.server.listening ? `http://127.0.0.1:${(app.server.address() as { port: number }).port}` : await app.listen({ host: '127.0.0.1', port: 0 })
  const client = wireTo(t, `${base}/oauth/mcp`, token)
  return await client.get(await session(client))
}

t.test('a stream ends when its access token is revoked; that of another token of the connection goes on', async (t) => {
  const tokens = await connect(app, browser)
  const next = await refresh(app, tokens.refresh_token)
  const [stream, other] = [await streamOf(t, tokens.access_token), await streamOf(t, next.body.access_token)]
  t.same([stream.status, other.status], [200, 200])
  t.equal((await postForm(app, 'revoke', { token: tokens.access_token, client_id: CLAUDE.client_id })).status, 200)
  let isOver = false
  const rest = other.rest().finally(() => { isOver = true })
  t.same((await stream.rest()).filter(({ message }) => message), [], 'it has ended')
  t.equal((await callMcp(app, next.body.access_token)).status, 200)
  t.notOk(isOver)
  const [connection] = await backend.connections.list({ user: server.wide.id, limit: 1 })
  t.equal((await browser.call('DELETE', `/connections/${connection!.id}`)).status, 200)
  t.ok(await rest, 'both end when the connection does')
  t.equal((await callMcp(app, next.body.access_token)).status, 401)
})

t.test('limits are those of its scope, by connection, over all its tokens', async (t) => {
  const small = await webServer(t, { rateLimitReadPerMinute: '3' }, db, offline)
  const tokens = await connect(small.app, await small.signIn(small.wide.id))
  const next = await refresh(small.app, tokens.refresh_token)
  const statuses: number[] = []
  for (const { access_token: token } of [tokens, next.body, tokens, next.body]) statuses.push((await callMcp(small.app, token)).status)
  t.same(statuses, [200, 200, 200, 429])
  t.notOk((await callMcp(small.app, tokens.access_token)).headers['credential-expires'])
})

t.test('upkeep deletes what is past its time, and nothing else', async (t) => {
  const tokens = await connect(app, browser)
  const client = { kind: 'registered' as const, redirectUris: ['https://app.example/cb'], refreshable: true, confidential: false }
  const [old, young, operators] = [
    (await backend.oauthClients.create({ ...client, name: 'old' }))!, (await backend.oauthClients.create({ ...client, name: 'young' }))!,
    (await backend.oauthClients.create({ ...client, kind: 'preregistered', name: 'operators' }))!
  ]
  await db.query("update oauth_clients set created_at = now() - interval '25 hours' where id = any($1)", [[old.id, operators.id]])
  await db.query("insert into connection_tokens (hash, credential_id, kind, expires_at) select 'past', id, 'access', now() - interval '1 second' from credentials where kind = 'connection' limit 1")
  await db.query("update oauth_codes set expires_at = now() - interval '25 hours' where used_at is not null")
  await backend.web!.deleteExpired()
  t.equal(await backend.oauthClients.find(old.id), undefined)
  for (const { id } of [young, operators]) t.ok(await backend.oauthClients.find(id))
  t.same(await db.query("select hash from connection_tokens where hash = 'past'"), [])
  t.same(await db.query('select hash from oauth_codes where used_at is not null'), [])
  t.equal((await callMcp(app, tokens.access_token)).status, 200)
})

t.test('tokens of one address or server work at no other', async (t) => {
  meets('oauth-audience', 'oauth-own-tokens', 'oauth-no-other-tokens', 'oauth-token-validated', 'oauth-resource-bound', 'oauth-no-query-token')
  const tokens = await connect(app, browser)
  const other = await webServer(t, { publicUrl: 'https://other.example' }, db, offline)
  t.equal((await other.app.inject({
    method: 'POST', url: '/oauth/mcp', headers: { host: 'other.example', authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' }, payload: '{}'
  })).statusCode, 401, 'another address, the same database')
  const key = (await backend.credentials.createKey({ user: server.wide.id, name: 'k', scope: 'read' })).key
  const token = (await backend.credentials.createToken({ user: server.wide.id, name: 't' })).token
  for (const secret of [key, token]) t.match(await callMcp(app, secret), { status: 401, body: { error: { data: { reason: 'wrong_endpoint' } } } })
  t.equal((await modern(app, tokens.access_token, 'tools/list', {}, { host: 'localhost:8080' })).status, 401, 'a connection at /mcp')
  const wrong = [tokens.refresh_token, tokens.access_token.slice(0, -1), `${tokens.access_token}A`, tokens.access_token.toLowerCase(), 'svc_at_', 'x', tokens.access_token.replace('svc_at', 'svc_rt')]
  for (const secret of wrong) t.equal((await callMcp(app, secret)).status, 401, secret.slice(0, 9))
  t.equal((await get(app, `/oauth/mcp?access_token=${tokens.access_token}`)).status, 401)
  t.equal((await callMcp(app, undefined, 'tools/list', {}, `/oauth/mcp?access_token=${tokens.access_token}`)).status, 401)
  t.equal((await callMcp(app, tokens.access_token)).status, 200)
})
