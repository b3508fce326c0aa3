// The public export of the engine: what it brings into a process, and that it works without a database.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { memoryChanges, result, type AuditEntry, type McpPluginOptions, type Tool } from 'exploration-mcp/engine'
import t from 'tap'
import { meets } from '../conformance/requirements.js'
import { modern } from '../helpers/build.js'
import { ROOT } from '../helpers/root.js'
import { resource, serve, serveApp } from './serve.js'

// Beside a compiled test lies a compiled `dist`.
const root = fileURLToPath(new URL('../../', import.meta.url))

const LIST_MODULES = `
  import { register } from 'node:module'
  import { MessageChannel } from 'node:worker_threads'
  const urls = []
  const { port1, port2 } = new MessageChannel()
  port1.on('message', (url) => urls.push(url))
  port1.unref()
  const hooks = 'let port; export const initialize = (data) => { port = data };' +
    'export const load = async (url, context, next) => { port.postMessage(url); return next(url, context) }'
  register('data:text/javascript,' + encodeURIComponent(hooks), { data: port2, transferList: [port2] })
  const { createMcpPlugin } = await import('exploration-mcp/engine')
  await new Promise(setImmediate)
  // CommonJS modules are not shown to the hooks.
  const { createRequire } = await import('node:module')
  urls.push(...Object.keys(createRequire(import.meta.url).cache ?? {}))
  console.log(JSON.stringify({ exported: typeof createMcpPlugin, urls }))
`

t.test('loading it by its name loads no database, no search and nothing else of the product', async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', '--input-type=module', '-e', LIST_MODULES], { cwd: root })
  const { exported, urls } = JSON.parse(stdout) as { exported: string, urls: string[] }
  t.equal(exported, 'function')
  const files = urls.filter((url) => !/^node:|^data:/.test(url)).map((url) => url.replace(/^file:\/\//, ''))
  const isPackage = (file: string) => file.includes('/node_modules/')
  const own = files.filter((file) => !isPackage(file)).map((file) => /\/(?:dist|src)\/(.*)$/.exec(file)?.[1] ?? file)
  t.ok(own.includes('engine/mcp-plugin.js'), 'its modules were seen')
  t.same(own.filter((file) => !/^(?:engine|lib)\//.test(file)), [])
  const packages = new Set(files.filter(isPackage).map((file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]))
  t.same([...packages].sort(), ['ajv', 'fast-deep-equal', 'fast-uri', 'json-schema-traverse'])
  const isOfPlanning = (file: string) =>
    /subject|exploration(?!-mcp)|workspace|artifact|planning/i.test(readFileSync(join(ROOT, 'src', file.replace(/js$/, 'ts')), 'utf8'))
  t.same(own.filter((file) => file.startsWith('engine/') && isOfPlanning(file)), [], 'no module of it knows of planning')
})

const echo: Tool<{ text: string }> = {
  name: 'echo',
  description: 'Repeats a text.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false },
  run: async ({ text }) => result({ text }, text)
}

t.test('without a limiter wrong credentials are bounded by address; right ones and none at all are not', async (t) => {
  const authenticate: McpPluginOptions['authenticate'] = async ({ headers: { authorization } }) => authorization === 'Bearer ada'
    ? { principal: { credential: { id: 'ada', scope: 'read' } } }
    : { reason: authorization === undefined ? 'missing' : 'invalid', hint: 'Ask Ada.' }
  const app = await serveApp(t, { authenticate })
  const statuses = []
  for (let n = 0; n < 100; n++) statuses.push((await modern(app, `eve-${n}`, 'tools/list')).status)
  t.same([statuses.slice(0, 60), statuses.slice(60)], [Array(60).fill(401), Array(40).fill(429)])
  t.match(await modern(app, 'eve', 'tools/list'), { headers: { 'retry-after': /^\d+$/ } })
  t.same([(await modern(app, 'ada', 'server/discover')).status, (await modern(app, undefined, 'tools/list')).status], [200, 401])
  const own = await serveApp(t, { authenticate, limiter: { count: async () => {} } })
  for (let n = 0; n < 70; n++) if ((await modern(own, 'eve', 'tools/list')).status !== 401) t.fail('one of its own replaces it')
})

t.test('it announces only what it has, and has no method for the rest', async (t) => {
  meets('completion-absent')
  const bare = await serve(t, { tools: [echo] })
  t.match(await bare.callTool('echo', { text: 'hello' }), { structuredContent: { text: 'hello' }, content: [{ type: 'text', text: 'hello' }] })
  t.same((await bare.request('server/discover'))['capabilities'], { tools: {} })
  for (const method of ['resources/list', 'prompts/list', 'completion/complete', 'subscriptions/listen', 'tasks/get']) {
    await t.rejects(bare.request(method, { name: 'x', uri: 'x', taskId: 'x' }), { code: -32601, status: 404 }, method)
  }
  const rich = await serve(t, {
    tools: [echo],
    prompts: [{ name: 'p', description: 'A prompt.', get: async () => ({ messages: [] }) }],
    resources: [resource('x://y')],
    changes: memoryChanges(),
    logs: true,
    tasks: true
  })
  t.same((await rich.request('server/discover'))['capabilities'], {
    tools: {},
    resources: { subscribe: true, listChanged: true },
    prompts: {},
    logging: {},
    completions: {},
    extensions: { 'io.modelcontextprotocol/tasks': {} }
  })
})

t.test('authentication: what it yields reaches the tool and the audit log, what it refuses is a 401 with the hint', async (t) => {
  interface Person { credential: { id: string, scope: 'read' }, name: string }
  const whoami: Tool<never, object, Person> = {
    name: 'whoami',
    description: 'Names the caller.',
    input: { type: 'object' },
    run: async (_input, { principal }) => result({ name: principal.name }, principal.name)
  }
  const recorded: unknown[] = []
  const record = ({ principal, method, target, outcome }: AuditEntry<Person>) => {
    recorded.push([principal?.name, method, target, outcome])
  }
  const app = await serveApp<object, Person>(t, {
    server: { name: 'the "people"', version: '1.0.0' },
    tools: [whoami],
    authenticate: async ({ headers }) => headers.authorization === 'Bearer ada'
      ? { principal: { credential: { id: '1', scope: 'read' }, name: 'Ada' } }
      : { reason: 'missing', hint: 'Send a name.' },
    audit: { record: async (entry) => record(entry), recordDenial: record }
  })
  t.match((await modern(app, 'ada', 'tools/call', { name: 'whoami' })).body, { result: { structuredContent: { name: 'Ada' } } })
  const refused = await modern(app, undefined, 'tools/call', { name: 'whoami' })
  t.match(refused, {
    status: 401, headers: { 'www-authenticate': 'Bearer realm="the people"' }, body: { error: { data: { reason: 'missing', hint: 'Send a name.' } } }
  })
  t.equal((await modern(app, 'bob', 'ping')).headers['www-authenticate'], 'Bearer realm="the people", error="invalid_token"')
  const denied = [undefined, 'refused', 'missing', 'unauthorized']
  t.same(recorded, [['Ada', 'tools/call', 'whoami', 'ok'], denied, denied])
})

t.test('on loopback: a foreign host or page is refused', async (t) => {
  const app = await serveApp(t, { tools: [echo] })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const status = async (headers: Record<string, string>) => (await modern(app, undefined, 'tools/list', {}, headers)).status
  t.same([await status({}), await status({ origin: 'http://localhost:3000' })], [200, 200])
  t.same([await status({ origin: 'https://evil.example' }), await status({ host: 'evil.example' })], [403, 403])
})

t.test('closing the server closes a connection on which no request ever came', async (t) => {
  const app = await serveApp(t, {})
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const accepted = once(app.server, 'connection')
  const received = text(connect(Number(port), '127.0.0.1'))
  await accepted
  // Without that it would wait for the client, for minutes.
  await app.close()
  t.equal(await received, '')
})
