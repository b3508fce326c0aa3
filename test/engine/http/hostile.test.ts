// No input makes a 500 or hangs: bodies, headers, ids made up; cursors, session ids, ids of events and sealed states that were altered;
// bodies that two parsers would read in two ways.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createObserver } from 'exploration-mcp/engine'
import fc from 'fast-check'
import t from 'tap'
import { METHODS } from '../../../src/engine/methods/index.js'
import { importRecords } from '../../../src/importers/records/import-records.js'
import { tools } from '../../../src/planning/tools/index.js'
import { served } from '../../conformance/served.js'
import { able, build, handshake, legacy, meta, modern, post } from '../../helpers/build.js'
import { altered, anyText, forged, runs } from '../../helpers/fuzzing.js'
import { session as openSession, wire } from '../../helpers/wire.js'

// A stream of changes does not end.
const NAMES = [...METHODS.filter(({ alwaysStreams }) => !alwaysStreams).map(({ name }) => name), 'notifications/cancelled', '__proto__', 'constructor']
const ARGUMENTS = [...new Set(tools.flatMap(({ input: { properties = {} } }) => Object.keys(properties)))]
const TOOLS = [...tools.map(({ name }) => name), 'toString']

const seen = createObserver({ onError: (error) => { throw error } })
const { app, key, db, log } = await build(t, {
  rateLimitReadPerMinute: '100000000',
  rateLimitReadPerDay: '100000000',
  logLevel: 'error',
  streamsPerCredential: '100000',
  platformToken: 'p'.repeat(40),
  wireLog: join(t.testdir(), 'wire.ndjson')
}, [seen.record])
const session = await handshake(app, key)

t.test('hostile input', async (t) => {
  const [exploration] = await db.query<{ id: string }>('select id from explorations limit 1')
  const ids = fc.constantFrom(exploration!.id, exploration!.id.toUpperCase(), '', 'x', '\0', '%', '\'; drop table users; --')
  const word = fc.oneof(
    anyText({ maxLength: 40 }),
    ids,
    fc.constantFrom('__proto__', 'constructor', '\u{1F600}'.repeat(100), ' & | ! :* <->', 'ı\u0130\u202e')
  )
  const json = fc.oneof(fc.jsonValue({ maxDepth: 4 }), word, fc.constantFrom(1e308, -0, Number.MAX_SAFE_INTEGER, null, true))
  const answered = (status: number) => [200, 202, 400, 403, 404, 405, 406, 413, 415].includes(status)

  /** Each is answered, never with an error of the server: by the status that is asked for, where one is. */
  type Inputs<Ts> = { [I in keyof Ts]: fc.Arbitrary<Ts[I]> }
  type Ask<Ts extends unknown[]> = (...given: Ts) => Promise<{ status: number }>
  const answers = async <Ts extends unknown[]>(name: string, count: number, inputs: Inputs<Ts>, ask: Ask<Ts>, expected?: number) => {
    await t.test(name, async () => {
      await fc.assert(fc.asyncProperty(fc.tuple(...inputs), async (given) => {
        const { status } = await ask(...given as Ts)
        return expected === undefined ? answered(status) : status === expected
      }), runs(count))
    })
  }
  const inEra = (body: unknown, old: boolean) => post(app, key, body, old ? { 'mcp-session-id': session } : { 'mcp-protocol-version': '2026-07-28' })

  const bodies = fc.oneof(anyText(), fc.json(), fc.uint8Array().map((bytes) => Buffer.from(bytes)))
  await answers('bodies', 100, [bodies], (body) => inEra(body, true))

  const message = fc.record(
    { jsonrpc: fc.constantFrom('2.0', 2), id: json, method: fc.oneof(fc.constantFrom(...NAMES), json), params: json }, { requiredKeys: [] })
  await answers('messages', 120, [message, fc.boolean()], inEra)

  const texts = [
    ['tools/call', { name: 'find_explorations', arguments: { query: '"stored" session', limit: 2 }, requestState: 'x', inputResponses: { a: { action: 'accept' } } }],
    ['completion/complete', { ref: { type: 'ref/resource', uri: 'service://exploration/{explorationId}' }, argument: { name: 'explorationId', value: '0' } }],
    ['initialize', { protocolVersion: '2025-11-25', capabilities: { roots: { listChanged: true } }, clientInfo: { name: 'x', version: '1' } }]
  ].map(([method, params]) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params as object, _meta: meta() } }))
  await answers('messages that were altered', 100, [fc.oneof(...texts.map(altered)), fc.boolean()], inEra)

  const params = fc.dictionary(fc.constantFrom('name', 'uri', 'cursor', 'arguments', 'ref', 'argument', 'context', '_meta'), json)
  await answers('parameters', 100, [fc.constantFrom(...NAMES), params, fc.boolean()], (method, given, old) => old
    ? legacy(app, key, session, method, given)
    : modern(app, key, method, { ...given, _meta: meta() }, { 'mcp-name': undefined, 'mcp-method': method }))

  const args = fc.dictionary(fc.constantFrom(...ARGUMENTS), fc.oneof(ids, fc.integer(), word, json))
  const call = (name: string, given: object) => legacy(app, key, session, 'tools/call', { name, arguments: given })
  await answers('arguments of tools', 100, [fc.constantFrom(...TOOLS), args], call)
  await answers('queries', 100, [word], (query) => call('find_explorations', { query }), 200)

  const mutated = fc.tuple(fc.nat(session.length - 1), fc.constantFrom('A', 'b', '.', '_', '-')).map(([at, letter]) => session.slice(0, at) + letter + session.slice(at + 1))
    .filter((id) => id !== session)
  const header = fc.stringMatching(/^[\x21-\x7e]{1,80}$/)
  await answers('session ids', 100, [fc.oneof(mutated, header)], (id) => legacy(app, key, id, 'ping'), 404)
  const names = fc.constantFrom('mcp-protocol-version', 'mcp-method', 'mcp-name', 'accept', 'content-type')
  await answers('headers', 100, [names, header], (name, value) => modern(app, key, 'tools/list', {}, { [name]: value }))
  await answers('credentials', 50, [header], (value) => modern(app, undefined, 'tools/list', {}, { authorization: value }), 401)

  await t.test('wide', async (t) => {
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 1]))
    t.ok(answered((await legacy(app, key, session, 'tools/call', { name: 'ping', arguments: wide })).status))
  })

  t.equal(log.join(''), '', 'nothing was an error of the server')
})

const nested = (levels: number, open = '[', close = ']'): string => open.repeat(levels) + close.repeat(levels)

t.test('JSON that is nested too deep is the mistake of its sender, wherever it comes in', async (t) => {
  const deep = (levels: number) => nested(levels, '{"x":', '}').replace(':}', ':1}')

  for (const [name, payload] of Object.entries({
    'in params': `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":${nested(7000)}}}`,
    'beside a requestState': `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ping","requestState":"x","x":${nested(20_000)}}}`,
    'in the capabilities': `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"n","version":"1"},"capabilities":${deep(20_000)}}}`,
    'in inputResponses': `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ping","inputResponses":${deep(20_000)}}}`,
    'in a batch': `[${nested(100)}]`,
    'as a response': `{"jsonrpc":"2.0","id":1,"result":${deep(5000)}}`
  })) {
    for (const headers of [{ 'mcp-session-id': session }, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'ping' }]) {
      t.match(await post(app, key, payload, headers), { status: 400, body: { error: { code: -32600, message: /nested deeper than 64 levels/ } } }, name)
    }
  }
  t.equal((await modern(app, key, 'tools/list', { x: JSON.parse(nested(50)) as unknown })).status, 200, 'what is not too deep passes')

  const platform = await post(app, 'p'.repeat(40), nested(50_000), {}, '/api/v1/audit-events')
  t.match(platform, { status: 400, text: /64 levels/ }, 'the platform API')
  t.equal(log.join(''), '', 'none is an error of the server')
  await t.rejects(importRecords(db, Readable.from([Buffer.from(`{"type":"workspace","x":${nested(100_000)}}\n`)]), { spoolDir: tmpdir() }),
    { message: /Line 1: the JSON is nested deeper than 64 levels/ }, 'imported records')
})

t.test('cursors', async (t) => {
  const call = (name: string, args: object) =>
    legacy(app, key, session, 'tools/call', { name, arguments: args })

  const { result } = (await call('find_explorations', { query: 'the', limit: 1 })).body
  const cursors = [result.structuredContent?.next_cursor, (await call('list_workspaces', { limit: 1 })).body.result.structuredContent?.next_cursor]
  const [found, listed] = cursors.map((cursor) => cursor ?? Buffer.from('["x","y",1]').toString('base64url'))
  t.ok(cursors.some(Boolean), 'there is a valid one to alter')
  for (const [name, cursor] of [['find_explorations', found!], ['list_workspaces', listed!]] as const) {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    await fc.assert(fc.asyncProperty(fc.oneof(altered(cursor), forged(parts)), async (other) => {
      const { status, body } = await call(name, {
        ...(name === 'find_explorations' && { query: 'the' }), limit: 1, cursor: other
      })
      return status === 200 && body.error === undefined
    }), runs(40))
  }
  await fc.assert(fc.asyncProperty(fc.constantFrom('resources/list', 'tools/list', 'resources/templates/list'), fc.oneof(altered(found!), altered(listed!), fc.jsonValue()),
    async (method, cursor) => [200, 400].includes((await modern(app, key, method, { cursor })).status)), runs(40))
  t.equal(log.join(''), '', 'nothing that the operator must see')
})

t.test('ids of events', async (t) => {
  const client = await wire(t, app, key)
  const headers = await openSession(client)
  const stream = await client.get(headers)
  const { id } = (await stream.next()).value!
  stream.close()
  const place = fc.oneof(fc.bigInt().map(String), fc.double().map(String), fc.stringMatching(/^[\w.-]{1,60}$/))
  const made = fc.tuple(fc.constantFrom('l-', 'c-'), fc.stringMatching(/^[\w-]{1,38}$/), place).map(([kind, name, at]) => `${kind}${name}:${at}`)
  const stretched = place.map((at) => `${id!.split(':')[0]}:${at}`)
  await fc.assert(fc.asyncProperty(fc.oneof(altered(id!), made, stretched), async (lastId) => {
    const reply = await client.get({ ...headers, 'last-event-id': lastId })
    reply.close()
    return [200, 400].includes(reply.status)
  }), runs(40))
  t.equal((await legacy(app, key, headers['mcp-session-id'], 'ping')).status, 200)
  t.equal(log.join(''), '')
})

t.test('sealed states', async (t) => {
  const { app: asking } = await served(t)
  const ask = (requestState?: unknown) => modern(asking, undefined, 'tools/call', {
    name: 'test_input_required_result_request_state',
    _meta: able({ elicitation: {}, sampling: {}, roots: {} }),
    ...(requestState !== undefined && { requestState })
  })
  const state = (await ask()).body.result.requestState
  t.equal((await ask(state)).status, 200, 'as it was given')
  await fc.assert(fc.asyncProperty(fc.oneof(altered(state).filter((other) => !sameBytes(other, state)), fc.jsonValue()), async (other) => {
    const { status, body } = await ask(other)
    return status === 400 && body.error.code === -32602
  }), runs(100))
})

/** A decoder of base64url passes over letters that are none: the seal is over bytes. */
const sameBytes = (one: string, other: string): boolean =>
  Buffer.from(one, 'base64url').equals(Buffer.from(other, 'base64url'))

t.test('bodies that are read in two ways', async (t) => {
  const say = (body: string | Buffer) => post(app, key, body, { 'mcp-session-id': session })

  const poison = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"name":"ping","arguments":{"__proto__":{"polluted":1}}}'
  for (const method of ['tools/call', 'ping', 'initialize', 'resources/read', 'completion/complete']) {
    t.ok((await say(`{"__proto__":{"polluted":1},"jsonrpc":"2.0","id":1,"method":"${method}","params":${poison}}`)).status < 500)
  }
  t.notOk('polluted' in {}, 'no prototype is changed')

  const good = Buffer.from('{"jsonrpc":"2.0","id":"ä€😀","method":"ping"}')
  const INVALID = { status: 400, body: { error: { code: -32600 } } }
  const ids = ['1e999', '-1e999', '9007199254740993', '1.5', '1'.repeat(5000), 'null', '{}', '[]', 'true']
  const numbers = ['1e999', '-1e999', '1e-999', '1'.repeat(400), '-0', '9007199254740993']
  const find = (number: string) => `{"name":"find_explorations","arguments":{"query":"x","limit":${number},"offset":${number}}}`
  const bodies: Array<[body: string | Buffer, expected: object, what: string]> = [
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","id":2,"method":"ping"}', { body: { id: 2, result: {} } }, 'of duplicate keys, the last one'],
    ['{"__proto__":{"jsonrpc":"2.0","id":1,"method":"ping"}}', INVALID, 'nothing is inherited from a body'],
    ['{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', { body: { result: {} } }, 'half a pair of surrogates is a letter like others'],
    [good, { body: { id: 'ä€😀', result: {} } }, 'UTF-8'],
    [Buffer.from('\ufeff{}'), { status: 400 }, 'a byte order mark'],
    [Buffer.from('{}', 'utf16le'), { status: 400 }, 'UTF-16'],
    ...ids.map((id): [string, object, string] => [`{"jsonrpc":"2.0","id":${id},"method":"ping"}`, INVALID, `an id ${id.slice(0, 20)}`]),
    ...numbers.map((number): [string, object, string] =>
      [`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${find(number)}}`, { status: 200, body: { result: {} } }, number])
  ]
  for (const [body, expected, what] of bodies) t.match(await say(body), expected, what)

  const broken = fc.tuple(fc.nat(good.length - 1), fc.constantFrom(0x80, 0xc0, 0xc1, 0xed, 0xf5, 0xfe, 0xff))
    .map(([at, byte]) => Buffer.concat([good.subarray(0, at), Buffer.from([byte, 0xff]), good.subarray(at)]))
  await fc.assert(fc.asyncProperty(broken, async (bytes) => {
    const { status, body } = await say(bytes)
    return status === 400 && body.error.code === -32700
  }), runs(40))
  t.equal(log.join(''), '')
})
