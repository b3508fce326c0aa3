// The wire log: each exchange with what decided it, and no secret in it.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { wireLog } from '../../../src/engine/traffic/wire-log.js'
import { build, handshake, legacy, meta, modern, post } from '../../helpers/build.js'
import { sampleDatabase } from '../../helpers/database.js'

interface Line {
  rule: unknown
  method: string
  status: number
  headers: Record<string, string>
  body: Record<string, unknown>
  reply: Record<string, unknown>
  reply_headers: Record<string, string>
  events: Array<Record<string, unknown>>
  credential_id: string
}

const db = await sampleDatabase(t)

t.test('each exchange', async (t) => {
  const file = join(t.testdir(), 'wire.ndjson')
  const { app, key } = await build(t, { wireLog: file }, [], db)
  await modern(app, key, 'tools/list')
  await modern(app, key, 'tools/call', {
    name: 'find_explorations', arguments: { query: `x ${key}` }, _meta: meta({ progressToken: 1 })
  })
  await modern(app, key, 'tools/call', { name: 'find_explorations', arguments: { query: 'x' }, requestState: 'sealed' })
  const session = await handshake(app, key)
  await legacy(app, key, session, 'ping')
  await post(app, key, '{', { cookie: 'a=b' })
  await post(app, `${key}x`, {})
  await post(app, key, {}, { accept: 'text/html' })
  await app.close()

  const text = readFileSync(file, 'utf8')
  const lines = text.trim().split('\n').map((line) => JSON.parse(line) as Line)
  t.equal(lines.length, 8)
  const [listed, found, state, , pinged, broken, refused, html] = lines as [Line, Line, Line, Line, Line, Line, Line, Line]
  t.match(listed, {
    rule: 'served',
    method: 'POST',
    status: 200,
    body: { method: 'tools/list' },
    reply: { result: {} },
    credential_id: /-/
  })
  t.match(listed.headers, { authorization: '[redacted]', 'mcp-method': 'tools/list' })
  t.match(found, { rule: 'served', body: { params: { arguments: { query: 'x svc_key_[redacted]' } } } })
  t.match(state, { rule: { code: -32602 }, body: { params: { requestState: '[redacted]' } } })
  t.match(found.events.map(({ method }) => method).slice(0, 1), ['notifications/progress'])
  t.match(found.events.at(-1), { result: {} })
  t.match(pinged.headers['mcp-session-id'], /^sha256:[0-9a-f]{16}$/)
  t.match(broken, {
    rule: { code: -32700, spec: { page: 'basic/transports' } }, body: '{', headers: { cookie: '[redacted]' }
  })
  t.match(refused, { rule: { code: 401, spec: { page: 'basic/authorization' } }, status: 401 })
  t.match(html, { rule: { code: 406 }, status: 406 })
  for (const secret of [key, session, 'sealed', 'a=b']) t.notOk(text.includes(secret), 'no secret')
  t.equal(statSync(file).mode & 0o777, 0o600)
})

t.test('what has the name of a secret is in no log, as in recordings', async (t) => {
  const file = join(t.testdir(), 'wire.ndjson')
  const { app, key } = await build(t, { wireLog: file }, [], db)
  const names = ['password', 'githubAccessToken', 'client_secret', 'api-key', 'private_key']
  const args = Object.fromEntries(names.map((name) => [name, 'hunter2hunter2']))
  await modern(app, key, 'tools/call', { name: 'find_explorations', arguments: { query: 'x', ...args, deep: [args] } })
  for (const name of names) await post(app, key, `{"no JSON", "${name}": "hunter2hunter2"`)
  await post(app, key, '{"no JSON", "text": "{\\"password\\": \\"hunter2hunter2\\"}"')
  await app.close()
  const text = readFileSync(file, 'utf8')
  t.match(JSON.parse(text.slice(0, text.indexOf('\n'))), { body: { params: { arguments: { query: 'x', password: '[redacted]' } } } })
  t.notMatch(text, 'hunter2')
})

t.test('a reply of one event is logged as an event', async (t) => {
  const file = join(t.testdir(), 'wire.ndjson')
  const { app, key } = await build(t, { wireLog: file, replyMode: 'sse' }, [], db)
  await modern(app, key, 'tools/list')
  await app.close()
  const line = JSON.parse(readFileSync(file, 'utf8')) as Line
  t.match(line, { rule: 'served', status: 200, reply_headers: { 'content-type': 'text/event-stream' }, events: [{ id: 1, result: {} }] })
  t.equal(line.events.length, 1)
  t.equal(line.reply, undefined)
})

t.test('bounded: long bodies are cut, full files make room', async (t) => {
  const folder = t.testdir()
  const log = wireLog(join(folder, 'wire.ndjson'), t.error, 100_000)
  const exchange = {
    at: 0,
    durationMs: 1,
    requestId: 'r',
    credential: undefined,
    method: 'POST',
    url: '/mcp',
    headers: {},
    status: 200,
    replyHeaders: {},
    reply: undefined,
    events: undefined
  }
  for (let n = 0; n < 60; n++) log.write({ ...exchange, body: 'x'.repeat(1_000_000) })
  await log.close()
  const files = readdirSync(folder)
  t.ok(files.length > 1 && files.length <= 5, files.join())
  for (const file of files) t.ok(statSync(join(folder, file)).size < 150_000, 'no file grows beyond its bound')
})
