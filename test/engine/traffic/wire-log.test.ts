// The wire log: each exchange with what decided it, and no secret in it. That WIRE_LOG switches it on: test/lib/redact/secrets.test.ts.
// @no-services: the engine alone
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { progress, result, type ReplyMode } from 'exploration-mcp/engine'
import t, { type Test } from 'tap'
import { wireLog } from '../../../src/engine/traffic/wire-log.js'
import { handshake, legacy, meta, modern, post } from '../../helpers/build.js'
import { serveApp, tool } from '../serve.js'

const KEY = 'svc_key_ABCDEFGHJKLMNPQRSTUVWXYZ234567'

const find = tool('find', async function * () {
  yield progress(1)
  return result({}, 'Nothing.')
})

const serve = async (t: Test, replyMode: ReplyMode = 'auto') => {
  const file = join(t.testdir(), 'wire.ndjson')
  const log = wireLog(file, t.error)
  const app = await serveApp(t, {
    tools: [find],
    replyMode,
    authenticate: async ({ headers: { authorization } }) => authorization === `Bearer ${KEY}`
      ? { principal: { credential: { id: 'mine', scope: 'read' } } }
      : { reason: 'invalid', hint: 'Ask.' },
    exchangeListeners: [log.write]
  })
  return {
    app,
    async read () {
      await log.close()
      const text = readFileSync(file, 'utf8')
      return { file, text, lines: text.trim().split('\n').map((line): unknown => JSON.parse(line)) }
    }
  }
}

t.test('each exchange, without what is a secret or has the name of one', async (t) => {
  const { app, read } = await serve(t)
  await modern(app, KEY, 'tools/list')
  await modern(app, KEY, 'tools/call', { name: 'find', arguments: { query: `x ${KEY}` }, _meta: meta({ progressToken: 1 }) })
  await modern(app, KEY, 'tools/call', { name: 'find', requestState: 'sealed' })
  const session = await handshake(app, KEY)
  await legacy(app, KEY, session, 'ping')
  await post(app, KEY, '{', { cookie: 'a=b' })
  await post(app, `${KEY}x`, {})
  await post(app, KEY, {}, { accept: 'text/html' })
  const names = ['password', 'githubAccessToken', 'client_secret', 'api-key', 'private_key']
  const args = Object.fromEntries(names.map((name) => [name, 'hunter2hunter2']))
  await modern(app, KEY, 'tools/call', { name: 'find', arguments: { query: 'x', ...args, deep: [args] } })
  for (const name of names) await post(app, KEY, `{"no JSON", "${name}": "hunter2hunter2"`)
  await post(app, KEY, '{"no JSON", "text": "{\\"password\\": \\"hunter2hunter2\\"}"')
  const { file, text, lines } = await read()
  t.equal(lines.length, 15)
  t.match(lines, [
    {
      rule: 'served', method: 'POST', status: 200, body: { method: 'tools/list' }, reply: { result: {} }, credential_id: 'mine',
      headers: { authorization: '[redacted]', 'mcp-method': 'tools/list' }
    },
    {
      rule: 'served',
      body: { params: { arguments: { query: 'x svc_key_[redacted]' } } },
      events: [{ method: 'notifications/progress' }, { result: {} }]
    },
    { rule: { code: -32602 }, body: { params: { requestState: '[redacted]' } } },
    { body: { method: 'initialize' } },
    { headers: { 'mcp-session-id': /^sha256:[0-9a-f]{16}$/ } },
    { rule: { code: -32700, spec: { page: 'basic/transports' } }, body: '{', headers: { cookie: '[redacted]' } },
    { rule: { code: 401, spec: { page: 'basic/authorization' } }, status: 401 },
    { rule: { code: 406 }, status: 406 },
    { body: { params: { arguments: { query: 'x', password: '[redacted]' } } } }
  ])
  for (const secret of [KEY, session, 'sealed', 'a=b', 'hunter2']) t.notOk(text.includes(secret), 'no secret')
  t.equal(statSync(file).mode & 0o777, 0o600)
})

t.test('a reply of one event is logged as an event', async (t) => {
  const { app, read } = await serve(t, 'sse')
  await modern(app, KEY, 'tools/list')
  const { lines: [line] } = await read()
  t.match(line, { rule: 'served', status: 200, reply_headers: { 'content-type': 'text/event-stream' }, events: [{ id: 1, result: {} }], reply: undefined })
})

t.test('bounded: long bodies are cut, full files make room', async (t) => {
  const folder = t.testdir()
  const log = wireLog(join(folder, 'wire.ndjson'), t.error, 100_000)
  const exchange = { at: 0, durationMs: 1, requestId: 'r', credential: undefined, method: 'POST', url: '/mcp', headers: {}, status: 200, replyHeaders: {} }
  for (let n = 0; n < 40; n++) log.write({ ...exchange, reply: undefined, events: undefined, body: 'x'.repeat(50_000) })
  await log.close()
  const files = readdirSync(folder)
  t.ok(files.length > 1 && files.length <= 5, files.join())
  for (const file of files) t.ok(statSync(join(folder, file)).size < 150_000, 'no file grows beyond its bound')
})
