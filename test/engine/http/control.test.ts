// Operators choose how the protocol is served. That settings say so: the tests of doctor, and conversation.test.ts.
// @no-services: the engine alone
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { memoryChanges, progress, result } from 'exploration-mcp/engine'
import { handshake, initialize, legacy, meta, modern, post } from '../../helpers/build.js'
import { meets } from '../../conformance/requirements.js'
import { resource, serveApp, tool, type Options } from '../serve.js'

const key = 'any'
const work = tool('work', async function * () {
  yield progress(1)
  return result({ status: 'ok' }, 'Done.')
})
const serve = (t: Test, options: Options) => serveApp(t, {
  tools: [work],
  resources: [resource('x://y')],
  changes: memoryChanges(),
  ...options
})

/** A stream cannot be opened, nor a session ended. */
const hasNoSession = async (t: Test, app: FastifyInstance, session: string) => {
  for (const method of ['GET', 'DELETE'] as const) {
    const headers = { host: 'localhost', accept: 'text/event-stream', 'mcp-session-id': session }
    t.equal((await app.inject({ method, url: '/mcp', headers })).statusCode, 405)
  }
}

t.test('the revisions that are served', async (t) => {
  const served = ['2025-03-26', '2025-06-18', '2026-07-28'] as const
  const app = await serve(t, { revisions: served })
  t.strictSame((await modern(app, key, 'server/discover')).body.result['supportedVersions'], [...served].reverse())
  for (const [asked, agreed] of [['2025-03-26', '2025-03-26'], ['2025-06-18', '2025-06-18'], ['2025-11-25', '2025-06-18'], ['2024-11-05', '2025-06-18']] as const) {
    t.equal((await post(app, key, initialize(asked))).body.result['protocolVersion'], agreed)
  }
  const session = await handshake(app, key, '2025-06-18')
  t.match(await legacy(app, key, session, 'ping', {}, { 'mcp-protocol-version': '2025-11-25' }), {
    status: 400, body: { error: { data: { supported: ['2025-03-26', '2025-06-18'] } } }
  })
  const old = await serve(t, { revisions: ['2025-11-25'] })
  t.match(await modern(old, key, 'server/discover'), {
    status: 400, body: { error: { code: -32022, data: { supported: ['2025-11-25'], requested: '2026-07-28' } } }
  })
})

t.test('without the revisions that have a handshake', async (t) => {
  meets('version-named-to-legacy', 'modern-alone', 'modern-alone-traffic')
  const app = await serve(t, { revisions: ['2026-07-28'] })
  const supported = ['2026-07-28']
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  for (const body of [initialize('2025-11-25'), list, { jsonrpc: '2.0', method: 'notifications/initialized' }]) {
    for (const session of [undefined, 'one of before']) {
      t.match(await post(app, key, body, { 'mcp-session-id': session }), {
        status: 400, body: { error: { code: -32020, data: { supported } } }
      })
      t.match(await post(app, key, body, { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }), {
        status: 400, body: { error: { code: -32022, data: { supported, requested: '2025-11-25' } } }
      })
    }
  }
  t.equal((await post(app, key, list, { 'mcp-protocol-version': '2026-07-28' })).body.error.code, -32602)
  t.equal((await modern(app, key, 'tools/list', {}, { 'mcp-session-id': 'one of before' })).status, 200)
  await hasNoSession(t, app, 'one of before')
})

t.test('without sessions each legacy request stands alone', async (t) => {
  meets('version-header-assumed')
  const app = await serve(t, { sessions: false })
  const { headers, body: { result: { capabilities } } } = await post(app, key, initialize('2025-11-25'))
  t.equal(headers['mcp-session-id'], undefined)
  t.strictSame(capabilities, { tools: {}, resources: {}, completions: {} }, 'nothing that would have to be remembered')
  const called = (version: string) =>
    legacy(app, key, undefined, 'tools/call', { name: 'work' }, { 'mcp-protocol-version': version })
  t.ok('structuredContent' in (await called('2025-11-25')).body.result)
  t.notOk('structuredContent' in (await called('2025-03-26')).body.result)
  t.equal((await legacy(app, key, undefined, 'ping')).status, 200)
  t.equal((await post(app, key, { jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202)
  t.equal((await legacy(app, key, undefined, 'resources/subscribe', { uri: 'x://y' })).status, 400)
  const batch = await post(app, key, [{ jsonrpc: '2.0', id: 1, method: 'ping' }], { 'mcp-protocol-version': '2025-03-26' })
  t.match(batch.body, [{ id: 1, result: {} }])
  await hasNoSession(t, app, 'x')
  const young = await modern(app, key, 'server/discover')
  t.match(young.body.result.capabilities, { resources: { subscribe: true } }, 'the modern era never needed them')
})

t.test('the mode of replies', async (t) => {
  const json = await serve(t, { replyMode: 'json' })
  t.match((await modern(json, key, 'tools/call', { name: 'work', _meta: meta({ progressToken: 1 }) })).headers, { 'content-type': 'application/json; charset=utf-8' })
  const sse = await serve(t, { replyMode: 'sse' })
  const streamed = await modern(sse, key, 'tools/list')
  t.equal(streamed.headers['content-type'], 'text/event-stream')
  t.match(streamed.text, /^event: message\ndata: \{"jsonrpc":"2.0","id":1,"result":.*\}\n\n$/)
  t.equal(streamed.headers['content-length'], String(Buffer.byteLength(streamed.text)), 'one event is one write')
  t.match(await modern(sse, key, 'tools/nothing'), { status: 404, body: { error: { code: -32601 } } }, 'a refusal has its status')
})

t.test('headers that disagree with the body: refused, or served and reported', async (t) => {
  const strict = await serve(t, {})
  const wrong = { 'mcp-method': 'tools/call', 'mcp-name': 'x' }
  t.match(await modern(strict, key, 'tools/list', {}, wrong), { status: 400, body: { error: { code: -32020 } } })
  const app = await serve(t, { headerValidation: 'report' })
  for (const [headers, mismatch] of [
    [wrong, /^The Mcp-Method header does not agree with the body.$/],
    [{ 'mcp-protocol-version': undefined }, /MCP-Protocol-Version header is missing/],
    [{}, undefined]
  ] as const) t.match(await modern(app, key, 'tools/list', {}, headers), { status: 200, headers: { 'mcp-header-mismatch': mismatch } })
  const odd = await modern(app, key, 'tools/list', { _meta: meta({ 'io.modelcontextprotocol/protocolVersion': '2026-07-28\u2603\n' }) })
  t.equal(odd.body.error.code, -32022)
})
