// No input makes a 500 or hangs: bodies, headers, ids, cursors, session ids made up or mutated from valid ones.
import fc from 'fast-check'
import t from 'tap'
import { tools } from '../../../src/planning/tools/index.js'
import { build, handshake, legacy, meta, modern, post } from '../../helpers/build.js'
import { anyText, runs } from '../../helpers/fuzzing.js'

const METHODS = [
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
  'notifications/cancelled',
  '__proto__',
  'constructor'
]
const TOOLS = [...tools.map(({ name }) => name), 'toString']

t.test('hostile input', async (t) => {
  const { app, key, db, log } = await build(t, {
    rateLimitReadPerMinute: '100000000', rateLimitReadPerDay: '100000000', logLevel: 'error'
  })
  const session = await handshake(app, key)
  const [exploration] = await db.query<{ id: string }>('select id from explorations limit 1')
  const ids = fc.constantFrom(exploration!.id, exploration!.id.toUpperCase(), '', 'x', '\0', '%', '\'; drop table users; --')
  const word = fc.oneof(
    anyText({ maxLength: 40 }),
    ids,
    fc.constantFrom('__proto__', 'constructor', '\u{1F600}'.repeat(100), ' & | ! :* <->', 'ı\u0130\u202e')
  )
  const json = fc.oneof(fc.jsonValue({ maxDepth: 4 }), word, fc.constantFrom(1e308, -0, Number.MAX_SAFE_INTEGER, null, true))
  const answered = (status: number) => [200, 202, 400, 403, 404, 405, 406, 413, 415].includes(status)

  await t.test('bodies', async () => {
    await fc.assert(fc.asyncProperty(fc.oneof(anyText(), fc.json(), fc.uint8Array().map((bytes) => Buffer.from(bytes))), async (body) =>
      answered((await post(app, key, body, { 'mcp-session-id': session })).status)), runs(100))
  })

  await t.test('messages', async () => {
    const message = fc.record(
      {
        jsonrpc: fc.constantFrom('2.0', 2), id: json, method: fc.oneof(fc.constantFrom(...METHODS), json), params: json
      },
      { requiredKeys: [] }
    )
    await fc.assert(fc.asyncProperty(message, fc.boolean(), async (body, old) =>
      answered((await post(app, key, body, old ? { 'mcp-session-id': session } : { 'mcp-protocol-version': '2026-07-28' })).status)), runs(120))
  })

  await t.test('parameters', async () => {
    const params = fc.dictionary(fc.constantFrom('name', 'uri', 'cursor', 'arguments', 'ref', 'argument', 'context', '_meta'), json)
    await fc.assert(fc.asyncProperty(fc.constantFrom(...METHODS), params, fc.boolean(), async (method, given, old) => {
      const reply = old
        ? await legacy(app, key, session, method, given)
        : await modern(app, key, method, { ...given, _meta: meta() }, { 'mcp-name': undefined, 'mcp-method': method })
      return answered(reply.status)
    }), runs(100))
  })

  await t.test('arguments of tools', async () => {
    const text = fc.oneof(word, json)
    const args = fc.record({
      query: text,
      workspace_id: text,
      exploration_id: fc.oneof(ids, text),
      cursor: text,
      limit: fc.oneof(fc.integer(), json),
      status: json,
      artifact_type: text,
      offset: fc.oneof(fc.integer(), json),
      max_chars: json,
      group_id: text,
      questions: text,
      kind: text
    }, { requiredKeys: [] })
    await fc.assert(fc.asyncProperty(fc.constantFrom(...TOOLS), args, async (name, given) =>
      answered((await legacy(app, key, session, 'tools/call', { name, arguments: given })).status)), runs(100))
    await fc.assert(fc.asyncProperty(word, async (query) =>
      (await legacy(app, key, session, 'tools/call', { name: 'find_explorations', arguments: { query } })).status === 200), runs(100))
  })

  await t.test('session ids and headers', async () => {
    const mutated = fc.tuple(fc.nat(session.length - 1), fc.constantFrom('A', 'b', '.', '_', '-')).map(([at, letter]) => session.slice(0, at) + letter + session.slice(at + 1))
      .filter((id) => id !== session)
    const header = fc.stringMatching(/^[\x21-\x7e]{1,80}$/)
    await fc.assert(fc.asyncProperty(fc.oneof(mutated, header), async (id) =>
      (await legacy(app, key, id, 'ping')).status === 404), runs(100))
    await fc.assert(fc.asyncProperty(fc.constantFrom('mcp-protocol-version', 'mcp-method', 'mcp-name', 'accept', 'content-type'), header, async (name, value) =>
      answered((await modern(app, key, 'tools/list', {}, { [name]: value })).status)), runs(100))
    await fc.assert(fc.asyncProperty(header, async (value) =>
      (await modern(app, undefined, 'tools/list', {}, { authorization: value })).status === 401), runs(50))
  })

  await t.test('deep and wide', async (t) => {
    t.ok(answered((await post(app, key, '['.repeat(100_000))).status))
    t.ok(
      answered((await post(app, key, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`, { 'mcp-session-id': session })).status)
    )
    t.ok(
      answered((await legacy(app, key, session, 'tools/call', { name: 'ping', arguments: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 1])) })).status)
    )
  })

  t.equal(log.join(''), '', 'nothing was an error of the server')
})
