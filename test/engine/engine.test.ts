// The public export of the engine: what it brings into a process, and that it works without a database.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import fastify from 'fastify'
import { createMcpPlugin, memoryChanges, result, type McpPluginOptions, type Tool } from 'exploration-mcp/engine'
import t, { type Test } from 'tap'

// Beside a compiled test lies a compiled `dist`.
const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

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
  const { stdout } = await run(process.execPath, ['--no-warnings', '--input-type=module', '-e', LIST_MODULES], { cwd: root })
  const { exported, urls } = JSON.parse(stdout) as { exported: string, urls: string[] }
  t.equal(exported, 'function')
  const files = urls.filter((url) => !/^node:|^data:/.test(url)).map((url) => url.replace(/^file:\/\//, ''))
  const isPackage = (file: string) => file.includes('/node_modules/')
  const own = files.filter((file) => !isPackage(file)).map((file) => /\/(?:dist|src)\/(.*)$/.exec(file)?.[1] ?? file)
  t.ok(own.includes('engine/mcp-plugin.js'), 'its modules were seen')
  t.same(own.filter((file) => !/^(?:engine|lib)\//.test(file)), [])
  const packages = new Set(files.filter(isPackage).map((file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]))
  t.same([...packages].sort(), ['ajv', 'fast-deep-equal', 'fast-uri', 'json-schema-traverse'])
})

const echo: Tool<{ text: string }> = {
  name: 'echo',
  description: 'Repeats a text.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false },
  run: async ({ text }) => result({ text }, text)
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' }
}
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

const serve = async (t: Test, options: Partial<McpPluginOptions> = {}) => {
  const app = fastify()
  await app.register(createMcpPlugin({ server: { name: 'test', version: '1.0.0' }, tools: [echo], ...options }))
  t.teardown(() => app.close())
  return {
    app,
    modern: async (method: string, params: Record<string, unknown> = {}, headers: Record<string, string> = {}) => {
      const name = typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}
      return await app.inject({
        method: 'POST',
        url: '/mcp',
        headers: { ...HEADERS, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name, ...headers },
        payload: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }
      })
    },
    legacy: async (method: string, params: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
      await app.inject({
        method: 'POST', url: '/mcp', headers: { ...HEADERS, ...headers }, payload: { jsonrpc: '2.0', id: 1, method, params }
      })
  }
}

const handshake = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }

t.test('a server of one tool: both eras', async (t) => {
  const { modern, legacy } = await serve(t)
  const called = await modern('tools/call', { name: 'echo', arguments: { text: 'hello' } })
  t.match(called.json(), { result: { structuredContent: { text: 'hello' }, content: [{ type: 'text', text: 'hello' }] } })
  const opened = await legacy('initialize', handshake)
  t.match(opened.json(), { result: { protocolVersion: '2025-11-25', serverInfo: { name: 'test' } } })
  const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) }
  t.match((await legacy('tools/list', {}, session)).json(), { result: { tools: [{ name: 'echo' }] } })
})

t.test('without a limiter wrong credentials are bounded by address; right ones and none at all are not', async (t) => {
  const authenticate: McpPluginOptions['authenticate'] = async ({ headers: { authorization } }) => authorization === 'Bearer ada'
    ? { principal: { credential: { id: 'ada', scope: 'read' } } }
    : { reason: authorization === undefined ? 'missing' : 'invalid', hint: 'Ask Ada.' }
  const { modern } = await serve(t, { authenticate })
  const ask = async (authorization?: string) => (await modern('tools/list', {}, authorization === undefined ? {} : { authorization })).statusCode
  const statuses = []
  for (let n = 0; n < 300; n++) statuses.push(await ask(`Bearer eve-${n}`))
  t.same([statuses.slice(0, 60), statuses.slice(60)], [Array(60).fill(401), Array(240).fill(429)])
  t.match(await modern('tools/list', {}, { authorization: 'Bearer eve' }), { headers: { 'retry-after': /^\d+$/ } })
  t.same([await ask('Bearer ada'), await ask()], [200, 401])
  const own = await serve(t, { authenticate, limiter: { count: async () => {} } })
  const counted = []
  for (let n = 0; n < 70; n++) counted.push((await own.modern('tools/list', {}, { authorization: 'Bearer eve' })).statusCode)
  t.same(new Set(counted), new Set([401]), 'one of its own replaces it')
})

t.test('it announces only what it has, and has no method for the rest', async (t) => {
  const bare = await serve(t)
  t.same((await bare.modern('server/discover')).json().result.capabilities, { tools: {} })
  for (const method of ['resources/list', 'prompts/list', 'completion/complete', 'subscriptions/listen', 'tasks/get']) {
    t.equal((await bare.modern(method, { name: 'x', uri: 'x', taskId: 'x' })).json().error.code, -32601, method)
  }
  const rich = await serve(t, {
    prompts: [{ name: 'p', description: 'A prompt.', get: async () => ({ messages: [] }) }],
    resources: [{ template: 'x://y', name: 'y', mimeType: 'text/plain', ttlMs: 0, read: async () => ({ mimeType: 'text/plain', text: 'y' }) }],
    changes: memoryChanges(),
    logs: true,
    tasks: true
  })
  t.same((await rich.modern('server/discover')).json().result.capabilities, {
    tools: {},
    resources: { subscribe: true, listChanged: true },
    prompts: {},
    logging: {},
    completions: {},
    extensions: { 'io.modelcontextprotocol/tasks': {} }
  })
})

t.test('authentication: what it yields reaches the tool, what it refuses is a 401 with the hint', async (t) => {
  interface Person { credential: { id: string, scope: 'read' }, name: string }
  const whoami: Tool<never, object, Person> = {
    name: 'whoami',
    description: 'Names the caller.',
    input: { type: 'object' },
    run: async (_input, { principal }) => result({ name: principal.name }, principal.name)
  }
  const app = fastify()
  t.teardown(() => app.close())
  const denied: unknown[] = []
  const recorded: unknown[] = []
  await app.register(createMcpPlugin<object, Person>({
    server: { name: 'the "people"', version: '1.0.0' },
    tools: [whoami],
    authenticate: async ({ headers }) => headers.authorization === 'Bearer ada'
      ? { principal: { credential: { id: '1', scope: 'read' }, name: 'Ada' } }
      : { reason: 'missing', hint: 'Send a name.' },
    audit: {
      record: async ({ principal, method, target, outcome }) => { recorded.push([principal?.name, method, target, outcome]) },
      recordDenial: ({ principal, method, target, outcome }) => { denied.push([principal?.name, method, target, outcome]) }
    }
  }))
  const call = async (authorization?: string) => await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: {
      ...HEADERS,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'whoami',
      ...(authorization !== undefined && { authorization })
    },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami', _meta: META } }
  })
  t.match((await call('Bearer ada')).json(), { result: { structuredContent: { name: 'Ada' } } })
  const refused = await call()
  t.match(refused, { statusCode: 401, headers: { 'www-authenticate': 'Bearer realm="the people"' } })
  t.match(refused.json(), { error: { data: { reason: 'missing', hint: 'Send a name.' } } })
  t.equal((await call('Bearer bob')).headers['www-authenticate'], 'Bearer realm="the people", error="invalid_token"')
  t.same(recorded, [['Ada', 'tools/call', 'whoami', 'ok']])
  t.same(denied, [[undefined, 'refused', 'missing', 'unauthorized'], [undefined, 'refused', 'missing', 'unauthorized']])
})

t.test('on loopback: a foreign host or page is refused', async (t) => {
  const { app } = await serve(t)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const call = async (headers: Record<string, string>) => {
    const reply = await fetch(`${address}/mcp`, {
      method: 'POST', headers: { ...HEADERS, ...headers }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: handshake })
    })
    await reply.text()
    return reply.status
  }
  t.equal(await call({}), 200)
  t.equal(await call({ origin: 'http://localhost:3000' }), 200)
  t.equal(await call({ origin: 'https://evil.example' }), 403)
})

t.test('streams of changes: announced changes arrive, and closing the server ends them', async (t) => {
  const changes = memoryChanges({ lists: ['resources', 'tools'] })
  const { app } = await serve(t, {
    resources: [{ template: 'x://y', name: 'y', mimeType: 'text/plain', ttlMs: 0, read: async () => ({ mimeType: 'text/plain', text: 'y' }) }],
    changes
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const reply = await fetch(`${address}/mcp`, {
    method: 'POST',
    headers: { ...HEADERS, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: { notifications: { resourcesListChanged: true, resourceSubscriptions: ['x://y'] }, _meta: META }
    })
  })
  const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const readUntil = async (part: string) => {
    while (!text.includes(part)) {
      const { done, value } = await reader.read()
      if (done) throw new Error(`the stream ended without ${part}: ${text}`)
      text += value
    }
  }
  await readUntil('notifications/subscriptions/acknowledged')
  changes.announce({ kind: 'list', list: 'tools' })
  changes.announce({ kind: 'updated', uri: 'x://y' })
  await readUntil('notifications/resources/updated')
  t.notMatch(text, 'tools/list_changed')
  const closed = app.close()
  await readUntil('notifications/cancelled')
  await readUntil('"result"')
  await closed
  t.pass('the server closed')
})

t.test('closing the server closes a connection on which no request ever came', async (t) => {
  const { app } = await serve(t)
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const accepted = once(app.server, 'connection')
  const spare = connect(Number(port), '127.0.0.1')
  const received = text(spare)
  await accepted
  // Without that it would wait for the client, for minutes.
  await app.close()
  t.equal(await received, '')
})
