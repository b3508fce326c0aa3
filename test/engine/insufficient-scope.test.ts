// A credential whose scope is too small: HTTP 403 with a challenge that names, at once, what the operation needs (RFC 6750 section 3.1).
import fastify from 'fastify'
import { createMcpPlugin, insufficientScope, progress, result, type McpPluginOptions, type Principal, type Scope, type Tool } from 'exploration-mcp/engine'
import t, { type Test } from 'tap'
import { meets } from '../conformance/requirements.js'

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {}, 'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' }
}
const METADATA = 'https://notes.example/.well-known/oauth-protected-resource/mcp'
const input = { type: 'object', additionalProperties: true } as const
const done = async () => result({ done: true }, 'Done.')

const tools: ReadonlyArray<Tool<never>> = [
  { name: 'read', description: 'Reads.', input, run: done },
  { name: 'write', description: 'Writes.', scope: 'read_write', input, run: done },
  { name: 'govern', description: 'Governs.', scope: 'admin', input, run: done },
  {
    name: 'publish',
    description: 'Needs what its arguments need.',
    input,
    async run ({ needs }: { needs?: string }) {
      if (needs !== undefined) throw insufficientScope(needs)
      return await done()
    }
  },
  {
    name: 'stream',
    description: 'Finds out before or after its first event.',
    input,
    async * run ({ late = false }: { late?: boolean }) {
      if (!late) throw insufficientScope('read_write')
      yield progress(1, 2, 'Half')
      throw insufficientScope('read_write')
    }
  } as Tool<never>
]

const serve = async (t: Test, options: Partial<McpPluginOptions> = {}) => {
  const app = fastify()
  t.teardown(() => app.close())
  const audited: unknown[] = []
  const SCOPES: Record<string, Scope> = { 'Bearer r': 'read', 'Bearer w': 'read_write', 'Bearer a': 'admin' }
  await app.register(createMcpPlugin<object, Principal>({
    server: { name: 'notes', version: '1.0.0' },
    tools,
    async authenticate ({ headers: { authorization = '' } }) {
      const scope = SCOPES[authorization]
      return scope === undefined ? { reason: 'invalid', hint: 'Authorize.' } : { principal: { credential: { id: authorization, scope } } }
    },
    audit: { record: async ({ method, target, outcome }) => { audited.push([method, target, outcome]) } },
    ...options
  }))
  const send = async (
    method: string, params: Record<string, unknown>, bearer: string | undefined, headers: Record<string, string> = {}, body?: unknown
  ) => {
    const reply = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: {
        'content-type': 'application/json', accept: 'application/json, text/event-stream', ...bearer !== undefined && { authorization: `Bearer ${bearer}` }, ...headers
      },
      payload: JSON.stringify(body ?? { jsonrpc: '2.0', id: 7, method, params })
    })
    return {
      status: reply.statusCode,
      challenge: reply.headers['www-authenticate'],
      headers: reply.headers,
      text: reply.body,
      body: String(reply.headers['content-type']).includes('json') ? reply.json<Record<string, unknown>>() : {}
    }
  }
  return {
    audited,
    modern: (method: string, params: Record<string, unknown> = {}, bearer: string | undefined = 'r') => send(method, { ...params, _meta: META }, bearer, {
      'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...typeof params['name'] === 'string' && { 'mcp-name': params['name'] }
    }),
    anonymous: () => send('tools/list', { _meta: META }, undefined, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }),
    async session (revision: string, bearer = 'r') {
      const { headers } = await send('initialize', { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'test', version: '1' } }, bearer)
      const session = { 'mcp-session-id': String(headers['mcp-session-id']), 'mcp-protocol-version': revision }
      return {
        call: (name: string, args = {}) => send('tools/call', { name, arguments: args, _meta: { progressToken: 1 } }, bearer, session), batch: (body: unknown[]) => send('', {}, bearer, session, body)
      }
    }
  }
}

const challengeFor = (scope: string, error = 'error="insufficient_scope", ') =>
  `Bearer realm="notes", ${error}scope="${scope}", resource_metadata="${METADATA}"`
const names = ({ body }: { body: Record<string, unknown> }) =>
  (body['result'] as { tools: Array<{ name: string }> }).tools.map(({ name }) => name)

t.test('a tool beyond the scope of the token: 403, in both eras', async (t) => {
  meets('oauth-insufficient-scope', 'oauth-needed-scope', 'oauth-challenge-stable', 'oauth-scope-hierarchy')
  const { modern, session, audited } = await serve(t, { resourceMetadata: () => METADATA })
  const legacy = await session('2025-11-25')
  for (const call of [() => modern('tools/call', { name: 'write', arguments: {} }), () => legacy.call('write')]) {
    for (const { status, challenge, body } of [await call(), await call()]) {
      t.equal(status, 403)
      t.equal(challenge, challengeFor('read_write'), 'the same each time')
      t.match(body, { id: 7, error: { code: 403, message: /read_write/, data: { reason: 'insufficient_scope', scope: 'read_write', hint: String } } })
    }
  }
  t.same(audited.filter((entry) => String(entry).includes('write')), Array(4).fill(['tools/call', 'write', 'forbidden']))
  t.equal((await modern('tools/call', { name: 'govern', arguments: {} }, 'w')).challenge, challengeFor('admin'))
  for (const [bearer, allowed] of Object.entries({ r: ['read'], w: ['read', 'write'], a: ['read', 'write', 'govern'] })) {
    for (const name of ['read', 'write', 'govern']) {
      t.equal((await modern('tools/call', { name, arguments: {} }, bearer)).status, allowed.includes(name) ? 200 : 403, `${bearer} ${name}: a broader scope has the narrower ones`)
    }
  }
})

t.test('what the arguments decide: all of it in one challenge', async (t) => {
  meets('oauth-one-challenge')
  const { modern, session } = await serve(t, { resourceMetadata: () => METADATA })
  const publish = (needs: string) => modern('tools/call', { name: 'publish', arguments: { needs } })
  t.match(await publish('read_write notes:publish'), { status: 403, challenge: challengeFor('read_write notes:publish') })
  t.equal((await modern('tools/call', { name: 'publish', arguments: {} })).status, 200)
  t.equal((await publish('a", error="x\r\nset-cookie: y\u00e9')).challenge, challengeFor('a, error=xset-cookie: y'), 'nothing leaves the quotes')
  const legacy = await session('2025-11-25')
  for (const reply of [await modern('tools/call', { name: 'stream', arguments: {} }), await legacy.call('stream')]) {
    t.match(reply, { status: 403, challenge: challengeFor('read_write') }, 'before the first event')
  }
  const late = await legacy.call('stream', { late: true })
  t.match(late, { status: 200, challenge: undefined, text: /insufficient_scope/ }, 'after it the status is sent')
})

t.test('a message of a batch has its error, and the batch no status of its own', async (t) => {
  const { session } = await serve(t)
  const { batch } = await session('2025-03-26')
  const reply = await batch(['read', 'write'].map((name, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } })))
  t.match(reply, { status: 200, challenge: undefined, body: [{ id: 0, result: {} }, { id: 1, error: { data: { scope: 'read_write' } } }] })
})

t.test('who may call a tool later sees it: only where clients can ask for more', async (t) => {
  const stepUp = await serve(t, { resourceMetadata: () => METADATA })
  const all = tools.map(({ name }) => name)
  for (const bearer of ['r', 'w', 'a']) t.same(names(await stepUp.modern('tools/list', {}, bearer)), all)
  t.match((await stepUp.modern('tools/list')).body, { result: { cacheScope: 'public' } })
  const fixed = await serve(t)
  t.same(names(await fixed.modern('tools/list')), ['read', 'publish', 'stream'])
  t.same(names(await fixed.modern('tools/list', {}, 'a')), all)
  t.match((await fixed.modern('tools/list')).body, { result: { cacheScope: 'private' } })
  t.match((await fixed.modern('tools/call', { name: 'none', arguments: {} })).body, { error: { code: -32602, message: /tools\/list shows: read, publish, stream\.$/ } })
  t.equal((await fixed.modern('tools/call', { name: 'write', arguments: {} })).challenge, 'Bearer realm="notes", error="insufficient_scope", scope="read_write"')
})

t.test('the other challenges', async (t) => {
  const { anonymous, modern } = await serve(t, { resourceMetadata: () => METADATA })
  t.match(await anonymous(), { status: 401, challenge: challengeFor('read', '') })
  t.match(await modern('tools/list', {}, 'wrong'), { status: 401, challenge: challengeFor('read', 'error="invalid_token", ') })
  const own = await serve(t, { challenge: (_request, neededScope) => `Own ${neededScope ?? 'none'}` })
  t.equal((await own.modern('tools/call', { name: 'write', arguments: {} })).challenge, 'Own read_write')
  t.equal((await own.anonymous()).challenge, 'Own none')
  const strict = await serve(t, { authenticate: async () => { throw insufficientScope('notes') } })
  t.match(await strict.modern('tools/list'), { status: 403, challenge: /error="insufficient_scope", scope="notes"/, body: { error: { data: { scope: 'notes' } } } })
})
