// Every row of the refusal table, in its order, through the front door.
import t, { type Test } from 'tap'
import { BOTH, build, handshake, legacy, MODERN, meta, modern, post, replyOf, type Reply } from '../../helpers/build.js'
import { workspaceId } from '../../helpers/planning.js'
import { meets } from '../../conformance/requirements.js'

interface Refused { jsonrpc: string, id?: string | number, error: { code: number, message: string, data?: Record<string, unknown> } }

const call = (name: string, args: Record<string, unknown> = {}) => ({ name, arguments: args })
const ping = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { ...call('ping'), _meta: meta() } }
const asModern = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'ping' }

const is = (t: Test, reply: Reply<Refused>, status: number, code: number, id?: string | number) => {
  t.equal(reply.status, status, 'status')
  t.match(reply.headers['content-type'], /^application\/json/)
  t.equal(reply.body.jsonrpc, '2.0')
  t.equal(reply.body.error.code, code, 'code')
  t.ok(reply.body.error.message.length > 10, 'a sentence')
  t.match(reply.body.error.data, { spec: { revision: /^20/, page: /^(basic|server)/, anchor: /^[a-z-]+$/ } }, 'the clause')
  t.strictSame(reply.body.id, id, 'id')
}

t.test('the refusals', async (t) => {
  const { app, key, narrowKey, credentials, people, db } = await build(t, {
    rateLimitReadPerMinute: '1000', failedAuthPerMinute: '1000'
  })
  const session = await handshake(app, key)
  const widest = (await people.listUsers()).sort((one, other) => other.memberships - one.memberships)[0]!.id

  await t.test('1: a foreign origin, a rebound host', async (t) => {
    meets('origin')
    is(t, await post<Refused>(app, key, ping, { ...asModern, origin: 'https://evil.example' }), 403, 403)
    is(t, await post<Refused>(app, key, ping, { ...asModern, host: 'evil.example' }), 403, 403)
    is(t, await post<Refused>(app, undefined, ping, { ...asModern, origin: 'null' }), 403, 403)
    t.equal((await post(app, key, ping, { ...asModern, origin: 'http://localhost:6274' })).status, 200)
    t.equal((await post(app, key, ping, { ...asModern, host: '127.0.0.1:8080' })).status, 200)
  })

  await t.test('1: a page of an allowed origin may ask and read', async (t) => {
    const origin = 'http://localhost:6274'
    const asking = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,mcp-method' }
    const preflight = await app.inject({ method: 'OPTIONS', url: '/mcp', headers: { host: 'localhost', ...asking } })
    t.equal(preflight.statusCode, 204)
    t.match(preflight.headers, { 'access-control-allow-origin': origin, 'access-control-allow-headers': /mcp-method/ })
    const answered = await post(app, key, ping, { ...asModern, origin })
    t.match(answered.headers, {
      'access-control-allow-origin': origin, 'access-control-expose-headers': /mcp-session-id/i
    })
    t.notOk((await post(app, key, ping, { ...asModern, origin: 'https://evil.example' })).headers['access-control-allow-origin'])
  })

  await t.test('3: credentials', async (t) => {
    meets('authentication')
    const refused = async (authorization: string | undefined, reason: string, hint: RegExp) => {
      const reply = await post<Refused>(app, undefined, ping, { ...asModern, authorization })
      is(t, reply, 401, 401)
      t.equal(
        reply.headers['www-authenticate'],
        `Bearer realm="exploration-mcp"${authorization === undefined ? '' : ', error="invalid_token"'}`
      )
      t.match(reply.body.error.data, { reason, hint })
    }
    // Each way in which one goes wrong, with its sentence: auth-hints.test.ts.
    await refused(undefined, 'missing', /Authorization/)
    await refused(key, 'malformed', /"Bearer" is missing/)
    await refused(`Bearer svc_pat_${'A'.repeat(32)}`, 'invalid', /revoked or expired/)
    const revoked = await credentials.createToken({ user: widest, name: 'revoked' })
    t.equal((await modern(app, revoked.token, 'tools/list')).status, 200)
    await credentials.revoke('personal_access_token', revoked.id)
    await refused(`Bearer ${revoked.token}`, 'invalid', /revoked or expired/)
    const expired = await credentials.createKey({ user: widest, name: 'expired', scope: 'read', expiresIn: 60_000 })
    const warned = await modern(app, expired.key, 'tools/list')
    t.equal(warned.status, 200)
    t.equal(new Date(String(warned.headers['credential-expires'])).toUTCString(), warned.headers['credential-expires'], 'an HTTP date')
    t.notOk((await modern(app, key, 'tools/list')).headers['credential-expires'], 'no end, no warning')
    await db.query("update credentials set expires_at = now() - interval '1 second' where id = $1", [expired.id])
    await refused(`Bearer ${expired.key}`, 'invalid', /revoked or expired/)
  })

  await t.test('4: other methods', async (t) => {
    meets('get-or-405')
    for (const method of ['GET', 'PUT', 'PATCH', 'OPTIONS', 'DELETE'] as const) {
      for (const url of ['/mcp', '/mcp/']) {
        const reply = replyOf<Refused>(await app.inject({
          method, url, headers: { host: 'localhost', authorization: `Bearer ${key}` }
        }))
        is(t, reply, 405, 405)
        t.equal(reply.headers['allow'], 'POST')
      }
    }
    t.equal((await app.inject({ method: 'GET', url: '/mcp', headers: { host: 'localhost' } })).statusCode, 401, '401 comes first')
    t.equal((await post(app, key, ping, asModern, '/mcp/')).status, 200, 'no redirect')
  })

  await t.test('5: media type and size', async (t) => {
    for (const type of ['text/plain', 'application/jsonp', 'application/json; charset=latin1', undefined]) {
      is(t, await post<Refused>(app, key, ping, { ...asModern, 'content-type': type }), 415, 415)
    }
    is(t, await post<Refused>(app, key, ping, { ...asModern, 'content-encoding': 'gzip' }), 415, 415)
    is(t, await post<Refused>(app, key, JSON.stringify({ ...ping, x: 'x'.repeat(1_048_576) }), { ...asModern, accept: '*/*' }), 413, 413)
    t.equal((await post(app, key, ping, { ...asModern, 'content-type': 'application/json;charset=UTF-8' })).status, 200)
  })

  await t.test('6: Accept', async (t) => {
    for (const accept of [undefined, '*/*', 'application/json', 'text/event-stream', 'application/*, text/*', `${BOTH};q=0`]) {
      const reply = await post<Refused>(app, key, 'not even JSON', { ...asModern, accept })
      is(t, reply, 406, 406)
      t.match(reply.body.error.message, BOTH)
    }
    t.equal((await post(app, key, ping, { ...asModern, accept: 'text/event-stream;q=0.5 , Application/JSON' })).status, 200)
  })

  await t.test('7: JSON, then JSON-RPC', async (t) => {
    meets('json-rpc', 'request-id-type', 'not-accepted', 'utf-8', 'batch-elsewhere')
    for (const body of ['', '{', 'not json', Buffer.from([0x22, 0xff, 0x22])]) is(t, await post<Refused>(app, key, body), 400, -32700)
    for (const body of [1, null, '"text"', {}, { jsonrpc: '1.0' }, { jsonrpc: '2.0' }]) is(t, await post<Refused>(app, key, body), 400, -32600)
    for (const version of [{ jsonrpc: '1.0' }, { jsonrpc: 2 }, {}]) is(t, await post<Refused>(app, key, { ...version, id: 1, method: 'ping' }), 400, -32600, 1)
    is(t, await post<Refused>(app, key, { jsonrpc: '2.0', id: null, method: 'ping' }), 400, -32600)
    const long = await post<Refused>(app, key, { jsonrpc: '2.0', id: 'i'.repeat(1025), method: 'ping' })
    t.match(long.body.error, { code: -32600, message: /a string of at most 1024 characters/ })
    is(t, await post<Refused>(app, key, { jsonrpc: '2.0', id: 1.5, method: 'ping' }), 400, -32600)
    is(t, await post<Refused>(app, key, { jsonrpc: '2.0', id: 'x', method: 5 }), 400, -32600, 'x')
    is(t, await post<Refused>(app, key, { jsonrpc: '2.0', id: 3, method: 'ping', params: [] }), 400, -32600, 3)
    is(t, await post<Refused>(app, key, [ping], asModern), 400, -32600)
    is(t, await post<Refused>(app, key, [ping]), 400, 400)
    is(t, await post<Refused>(app, key, [ping], { 'mcp-session-id': session }), 400, -32600)
  })

  await t.test('8: the modern envelope, in its order', async (t) => {
    meets('meta-required', 'version-header-agrees', 'version-unsupported', 'method-unknown', 'headers-agree', 'no-responses-in')
    const send = (
      params: Record<string, unknown>, headers: Record<string, string | undefined> = asModern, method = 'tools/call'
    ) =>
      post<Refused>(app, key, { jsonrpc: '2.0', id: 7, method, params: { ...call('ping'), ...params } }, headers)
    is(t, await send({}), 400, -32602, 7)
    const { 'io.modelcontextprotocol/clientCapabilities': _, ...incomplete } = meta()
    is(t, await send({ _meta: incomplete }, { 'mcp-protocol-version': '1900-01-01' }), 400, -32602, 7)
    is(t, await send({ _meta: meta({ 'io.modelcontextprotocol/logLevel': 'loud' }) }), 400, -32602, 7)
    is(t, await send({ _meta: meta({ 'io.modelcontextprotocol/protocolVersion': '1900-01-01' }) }), 400, -32020, 7)
    is(t, await send({ _meta: meta() }, {}), 400, -32020, 7)
    const old = await send({ _meta: meta({ 'io.modelcontextprotocol/protocolVersion': '1900-01-01' }) }, { 'mcp-protocol-version': '1900-01-01' }, 'nothing')
    is(t, old, 400, -32022, 7)
    t.match(old.body.error.data, {
      supported: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'], requested: '1900-01-01'
    })
    for (const method of ['nothing', 'initialize', 'ping', 'logging/setLevel']) {
      is(t, await send({ _meta: meta() }, { 'mcp-protocol-version': MODERN }, method), 404, -32601, 7)
    }
    is(t, await send({ _meta: meta() }, { ...asModern, 'mcp-method': undefined }), 400, -32020, 7)
    is(t, await send({ _meta: meta() }, { ...asModern, 'mcp-method': 'tools/list' }), 400, -32020, 7)
    is(t, await send({ _meta: meta() }, { ...asModern, 'mcp-name': undefined }), 400, -32020, 7)
    is(t, await send({ _meta: meta() }, { ...asModern, 'mcp-name': 'Ping' }), 400, -32020, 7)
    is(t, await send({ _meta: meta() }, { ...asModern, 'mcp-name': '=?base64?cGluZw?=' }), 400, -32020, 7)
    t.equal((await send({ _meta: meta() }, { ...asModern, 'mcp-name': '=?base64?cGluZw==?=' })).status, 200)
    is(t, await post<Refused>(app, key, { jsonrpc: '2.0', id: 7, result: {} }, asModern), 400, -32600)
  })

  await t.test('8: the legacy session', async (t) => {
    meets('initialize-first', 'session-required', 'session-ended', 'session-id-secure', 'version-header-checked')
    is(t, await legacy<Refused>(app, key, undefined, 'tools/list'), 400, 400, 1)
    is(t, await legacy<Refused>(app, key, 'made-up', 'tools/list'), 404, 404, 1)
    is(t, await legacy<Refused>(app, key, session.slice(0, -2) + 'AA', 'tools/list'), 404, 404, 1)
    is(t, await legacy<Refused>(app, narrowKey, session, 'tools/list'), 404, 404, 1)
    is(t, await legacy<Refused>(app, key, session, 'tools/list', {}, { 'mcp-protocol-version': '1900-01-01' }), 400, 400, 1)
    is(t, await legacy<Refused>(app, key, session, 'server/discover'), 200, -32601, 1)
    const ended = await handshake(app, key)
    const end = () =>
      app.inject({ method: 'DELETE', url: '/mcp', headers: { host: 'localhost', authorization: `Bearer ${key}`, 'mcp-session-id': ended } })
    t.equal((await end()).statusCode, 204)
    is(t, await legacy<Refused>(app, key, ended, 'tools/list'), 404, 404, 1)
    is(t, replyOf<Refused>(await end()), 404, 404)
  })

  await t.test('9: parameters', async (t) => {
    meets('tool-input-checked')
    is(t, await modern<Refused>(app, key, 'tools/call', { name: 'nothing' }), 400, -32602, 1)
    is(t, await legacy<Refused>(app, key, session, 'tools/call', { name: 'nothing' }), 200, -32602, 1)
    is(t, await modern<Refused>(app, key, 'tools/call'), 400, -32602, 1)
    is(t, await modern<Refused>(app, key, 'tools/call', { name: 'ping', arguments: [] }), 400, -32602, 1)
    is(t, await modern<Refused>(app, key, 'resources/list', { cursor: 'made up' }), 400, -32602, 1)
    is(t, await legacy<Refused>(app, undefined, session, 'initialize'), 401, 401)
    is(t, await legacy<Refused>(app, key, undefined, 'initialize'), 200, -32602, 1)
    t.match(await modern(app, key, 'tools/call', call('get_exploration')), {
      status: 200, body: { result: { isError: true, content: [{ text: /exploration_id/ }] } }
    })
  })

  await t.test('10: a workspace that is not the caller\'s', async (t) => {
    meets('tool-access', 'resource-access')
    const { key: limited } = await credentials.createKey({ user: widest, name: 'limited', scope: 'read', workspaces: [workspaceId('kiln')] })
    const narrow = await handshake(app, limited)
    // What names an exploration: test/http/foreign-records.test.ts.
    for (const workspace of [workspaceId('tillpoint'), '00000000-0000-4000-8000-000000000000']) {
      const params = call('find_explorations', { query: 'anything', workspace_id: workspace })
      const refused = await modern<Refused>(app, limited, 'tools/call', params)
      is(t, refused, 403, 403, 1)
      t.type(refused.body.error.data?.['hint'], 'string')
      is(t, await legacy<Refused>(app, limited, narrow, 'tools/call', params), 403, 403, 1)
      is(t, await modern<Refused>(app, limited, 'resources/read', { uri: `service://workspace/${workspace}/explorations` }), 403, 403, 1)
    }
  })

  await t.test('11: not found', async (t) => {
    meets('resource-unknown', 'resource-unknown-params')
    const uri = 'service://exploration/00000000-0000-4000-8000-000000000000'
    const reply = await modern<Refused>(app, key, 'resources/read', { uri })
    is(t, reply, 400, -32602, 1)
    t.equal(reply.body.error.data?.['uri'], uri)
    is(t, await legacy<Refused>(app, key, session, 'resources/read', { uri }), 200, -32002, 1)
    for (const other of ['nothing', 'other://workspaces', 'service://exploration/%', `${uri}/artifact/../x`]) {
      is(t, await modern<Refused>(app, key, 'resources/read', { uri: other }), 400, -32602, 1)
    }
  })
})
