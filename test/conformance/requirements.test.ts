// The requirements: each is cited by a test, no test cites another; and those that no other test is about.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { progress } from '../../src/engine/request-context.js'
import { readConfig } from '../../src/config/config.js'
import { faultReply, FAULTS } from '../../src/engine/eras/faults.js'
import { Fault, type FaultKind } from '../../src/lib/errors.js'
import { supports } from '../../src/engine/revisions.js'
import { validator } from '../../src/lib/schema/validator.js'
import { paramHeaders } from '../../src/engine/tools/param-headers.js'
import { tools as productTools } from '../../src/planning/tools/index.js'
import type { Tool } from '../../src/engine/tools/tool.js'
import { able, bothEras, handshake, initialize, meta, modern, post } from '../helpers/build.js'
import { resource, serveApp, tool } from '../engine/serve.js'
import { served } from './served.js'
import { meets, REQUIREMENTS } from './requirements.js'
import { tools } from './tools.js'

const LEGACY = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']

t.test('the manifest', async (t) => {
  const ids = REQUIREMENTS.map(({ id }) => id)
  t.equal(new Set(ids).size, ids.length, 'no id twice')
  const root = new URL('..', import.meta.url).pathname
  const cited = new Set(readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts')).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bmeets\(([^)]*)\)/g)].flatMap(([, list = '']) => [...list.matchAll(/'([\w-]+)'/g)].map(([, id]) => id!))))
  t.strictSame([...cited].filter((id) => !ids.includes(id)), [], 'nothing is cited that is not asked')
  t.strictSame(ids.filter((id) => !cited.has(id)), [], 'everything that is asked is cited')
  for (const { id, legacy: old, modern: young, says } of REQUIREMENTS) {
    t.ok(old ?? young, `${id} has a clause`)
    t.ok(says.length > 15 && !says.includes('**'), `${id} says it in our words`)
  }
})

t.test('each MUST has a mutant, which `npm run mutants` makes: its text is there once, and its test proves the requirement', async (t) => {
  const root = new URL('../../', import.meta.url)
  const mutants = JSON.parse(readFileSync(new URL('mutants.json', import.meta.url), 'utf8')) as Array<Record<'row' | 'file' | 'from' | 'to' | 'test', string>>
  t.same(mutants.map(({ row }) => row).sort(), REQUIREMENTS.filter(({ level }) => level.startsWith('MUST')).map(({ id }) => id).sort())
  for (const { row, file, from, to, test } of mutants) {
    t.equal(readFileSync(new URL(file, root), 'utf8').split(from).length, 2, `${row}: ${file} has the text once`)
    t.not(from, to, row)
    const citations = [...readFileSync(new URL(test, root), 'utf8').matchAll(/\bmeets\(([^)]*)\)/g)].map(([, ids]) => ids)
    t.ok(citations.some((ids) => ids!.includes(`'${row}'`)), `${row}: ${test} cites it`)
  }
})

t.test('on the engine alone', async (t) => {
  const growing = tool('growing', async function * () {
    for (const done of [1, 1, 0.5, 2]) yield progress(done, 2)
    return { content: [] }
  })
  const input = { type: 'object', properties: { n: { type: 'integer', 'x-mcp-header': 'N' } } } as Tool['input']
  const numbered = tool('numbered', async () => ({ content: [] }), { input })
  const { app } = await served(t, { tools: [growing, numbered] })
  const session = await handshake(app, 'any')
  const eras = await bothEras(app, 'any')
  const refused = async (t: Test, method: string, params: Record<string, unknown>) => {
    for (const ask of eras) t.equal((await ask(method, params)).body.error.code, -32602, `${method} ${JSON.stringify(params)}`)
  }

  await t.test('ids come back as they were', async (t) => {
    meets('response-same-id', 'error-shape')
    for (const id of ['x', '7', 7, 0, '']) {
      for (const method of ['tools/list', 'tools/call']) {
        for (const headers of [{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }, { 'mcp-session-id': session }]) {
          const params = 'mcp-method' in headers ? { _meta: meta() } : {}
          const { body } = await post(app, 'any', { jsonrpc: '2.0', id, method, params }, headers)
          t.equal(body.id, id)
          if (method === 'tools/call') t.ok(Number.isInteger(body.error.code) && body.error.message.length > 0)
        }
      }
    }
  })

  await t.test('codes', async (t) => {
    meets('codes-reserved', 'codes-own')
    const defined = [-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022]
    for (const kind of Object.keys(FAULTS) as FaultKind[]) {
      const { code } = faultReply(new Fault(kind, 'x'), 'modern').error
      t.ok(defined.includes(code) || code > -32000, `${kind}: ${code}`)
    }
  })

  await t.test('progress', async (t) => {
    meets('progress-token', 'progress-grows')
    const { text } = await modern(app, 'any', 'tools/call', { name: 'growing', _meta: meta({ progressToken: 'p' }) })
    t.strictSame([...text.matchAll(/"progress":([\d.]+)/g)].map(([, value]) => value), ['1', '2'])
    for (const progressToken of [null, 1.5, {}, []]) await refused(t, 'tools/call', { name: 'growing', _meta: meta({ progressToken }) })
  })

  await t.test('nothing is taken from an earlier request', async (t) => {
    meets('stateless')
    const declared = able({ elicitation: {} }, { 'io.modelcontextprotocol/logLevel': 'debug' })
    const call = (name: string, _meta: object) => modern(app, 'any', 'tools/call', { name, arguments: {}, _meta })
    t.equal((await call('test_input_required_result_elicitation', declared)).body.result['resultType'], 'input_required')
    t.equal((await call('test_input_required_result_elicitation', meta())).body.error.code, -32021, 'the capability is not remembered')
    t.match((await call('test_tool_with_logging', declared)).text, 'notifications/message')
    t.notMatch((await call('test_tool_with_logging', meta())).text, 'notifications/message', 'the log level is not remembered')
  })

  await t.test('headers', async (t) => {
    meets('headers-numbers', 'headers-case', 'endpoint')
    const call = (n: number, header: string) =>
      modern(app, 'any', 'tools/call', { name: 'numbered', arguments: { n } }, { 'MCP-PARAM-N': header })
    for (const header of ['42', '42.0', '4.2e1']) t.equal((await call(42, header)).status, 200, header)
    for (const header of ['43', '', 'x', '0x2a', '0b101010', '=?base64?IDQy?=']) t.equal((await call(42, header)).body.error.code, -32020, header)
    const shouted = await post(app, 'any', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta() } },
      { 'MCP-PROTOCOL-VERSION': '2026-07-28', 'Mcp-METHOD': 'tools/list' })
    t.equal(shouted.status, 200)
    t.match(await modern(app, 'any', 'tools/list', {}, { 'mcp-method': 'Tools/List' }), { body: { error: { code: -32020 } } }, 'values have a case')
  })

  await t.test('what is no request is refused without an id', async (t) => {
    meets('not-accepted', 'version-header-agrees', 'version-unsupported', 'no-responses-in')
    const key = 'io.modelcontextprotocol/protocolVersion'
    const notify = (_meta: object, version?: string) =>
      post(app, 'any', { jsonrpc: '2.0', method: 'notifications/x', params: { _meta } }, { 'mcp-protocol-version': version })
    t.equal((await notify(meta(), '2026-07-28')).status, 202)
    t.equal((await notify({}, '2026-07-28')).status, 202)
    for (const [named, version, code] of [
      ['2026-07-28', undefined, -32020], ['2026-07-28', '2025-11-25', -32020], ['2027-01-01', '2026-07-28', -32020],
      ['2027-01-01', '2027-01-01', -32022], [5, '2026-07-28', -32602]
    ] as const) {
      const { status, body } = await notify(meta({ [key]: named }), version)
      t.match({ status, body }, { status: 400, body: { error: { code } } }, `${named} and ${version}`)
      t.notOk('id' in body)
    }
    for (const [response, headers, status] of [
      [{ result: {} }, { 'mcp-protocol-version': '2026-07-28' }, 400],
      [{ result: {} }, { 'mcp-session-id': 'unknown' }, 404],
      [{ result: {}, error: { code: 1, message: 'x' } }, { 'mcp-session-id': session }, 400]
    ] as const) {
      const refused = await post(app, 'any', { jsonrpc: '2.0', id: 7, ...response }, headers)
      t.equal(refused.status, status)
      t.notOk('id' in refused.body, 'the client has sent no request of this id')
    }
  })

  await t.test('what is declared, by revision', async (t) => {
    meets('tools-declared', 'resources-declared', 'logging-declared', 'completions-declared', 'tools-changed', 'prompts-changed')
    const changing = { listChanged: true }
    const all = { tools: changing, prompts: changing, resources: { ...changing, subscribe: true }, logging: {} }
    t.match((await modern(app, 'any', 'server/discover')).body.result.capabilities, { ...all, completions: {} })
    for (const protocolVersion of LEGACY) {
      const completions = supports(protocolVersion, 'completionsCapability') ? {} : undefined
      t.match((await post(app, 'any', initialize(protocolVersion))).body.result.capabilities, { ...all, completions, extensions: undefined })
    }
  })

  await t.test('lists hold still, and say how long they may be kept', async (t) => {
    meets('tools-ordered', 'cache-ttl', 'cache-hints', 'cursor-invalid', 'resource-binary')
    const { contents: [{ blob }] } = (await modern(app, 'any', 'resources/read', { uri: 'test://static-binary' })).body.result
    t.equal(Buffer.from(blob, 'base64').toString('base64'), blob)
    const first = (await modern(app, 'any', 'tools/list')).text
    t.equal((await modern(app, 'any', 'tools/list')).text, first)
    const read = (await modern(app, 'any', 'resources/read', { uri: 'test://static-text' })).body.result
    t.match(read, { resultType: 'complete', ttlMs: 1000, cacheScope: /^(?:public|private)$/ })
    for (const method of ['server/discover', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
      const { result } = (await modern(app, 'any', method)).body
      t.equal(Number.isInteger(result['ttlMs']), true, method)
      t.ok(Number(result['ttlMs']) >= 0 && ['public', 'private'].includes(String(result['cacheScope'])), method)
      if (method === 'server/discover') continue
      for (const cursor of ['nonsense', '9:9', '', '0:x']) await refused(t, method, { cursor })
    }
  })

  await t.test('what is unknown', async (t) => {
    meets('tool-unknown', 'completion-errors', 'completion-checked')
    await refused(t, 'tools/call', { name: 'nothing' })
    const known = { type: 'ref/resource', uri: 'test://template/{id}/data' }
    for (const ref of [{ type: 'ref/resource', uri: 'test://nothing/{id}' }, { type: 'ref/prompt', name: 'nothing' }, { type: 'ref/other' }, {}, known]) {
      await refused(t, 'completion/complete', { ref, argument: { name: ref === known ? 'other' : 'id', value: '' } })
    }
  })
})

t.test('pages of one list have one scope', async (t) => {
  meets('cache-scope')
  const paged = resource('test://{n}', {
    list: async (_context, cursor) => ({ entries: [{ uri: `test://${cursor ?? 1}`, name: 'page' }], ...(cursor === undefined && { next: '2' }) })
  })
  const app = await serveApp(t, { resources: [paged] })
  const list = async (params = {}) => (await modern(app, 'any', 'resources/list', params)).body.result
  const first = await list()
  t.match(await list({ cursor: first['nextCursor'] }), { resources: [{ uri: 'test://2' }], cacheScope: first['cacheScope'] })
})

t.test('a completion has at most 100 values', async (t) => {
  meets('completion-most')
  const complete = async () => Array.from({ length: 101 }, String)
  const prompts = [{ name: 'p', description: 'P.', arguments: [{ name: 'a' }], get: async () => ({ messages: [] }), complete }]
  const { body } = await modern(await serveApp(t, { prompts }), 'any', 'completion/complete',
    { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } })
  t.match(body.result, { completion: { hasMore: true, values: { length: 100 } } })
})

t.test('the product listens on loopback', async (t) => {
  meets('loopback')
  t.equal(readConfig({}).host, '127.0.0.1')
})

t.test('schemas', async (t) => {
  meets('schema-2020-12', 'schema-no-network', 'mirrored-valid')
  const tuple = validator({
    type: 'object',
    properties: { pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false } }
  })
  t.equal(tuple({ pair: ['a', 1] }).ok, true, 'prefixItems is of 2020-12')
  t.equal(tuple({ pair: [1, 'a'] }).ok, false)
  t.throws(() => validator({ type: 'object', properties: { far: { $ref: 'https://example.com/schema.json' } } }), 'nothing is fetched')
  for (const { name, input } of [...productTools, ...tools]) {
    const headers = paramHeaders(input).map(({ header }) => header.toLowerCase())
    t.equal(new Set(headers).size, headers.length, name)
    for (const header of headers) t.match(header, /^mcp-param-[!#$%&'*+.^_`|~0-9a-z-]+$/)
  }
})
