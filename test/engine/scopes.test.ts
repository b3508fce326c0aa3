// Scopes: the engine's own, which cover one another, and those of a server.
import fastify from 'fastify'
import { createMcpPlugin, defineTool, result, testClient } from 'exploration-mcp/engine'
import t, { type Test } from 'tap'
import { allows } from '../../src/lib/principal.js'

const tool = (scope?: string) => defineTool({
  name: scope?.replaceAll(/\W/g, '_') ?? 'any', description: 'A tool.', ...scope !== undefined && { scope }
}, async () => result({}, 'Called.'))

const tools = [tool(), tool('read'), tool('read_write'), tool('admin'), tool('notes:publish'), tool('notes:publish mail')]

const serve = async (t: Test, scope: string, resourceMetadata?: () => string) => {
  const app = fastify()
  t.teardown(() => app.close())
  await app.register(createMcpPlugin({
    server: { name: 'test', version: '1' },
    tools,
    authenticate: async ({ headers }) => headers.authorization === undefined
      ? { reason: 'missing', hint: 'Authorize.' }
      : { principal: { credential: { id: 'ada', scope } } },
    ...resourceMetadata && { resourceMetadata }
  }))
  return { app, client: await testClient(app, { headers: { authorization: 'Bearer x' } }) }
}

t.test('what a scope covers', async (t) => {
  const granted = ['', 'read', 'read_write', 'admin', 'mail', 'notes:publish mail', 'mail notes:publish read', 'mail admin']
  const needed = ['', 'read', 'read_write', 'admin', 'mail', 'notes:publish', 'notes:publish mail']
  t.same(Object.fromEntries(granted.map((one) => [one, needed.filter((other) => allows(one, other))])), {
    '': [''],
    read: ['', 'read'],
    read_write: ['', 'read', 'read_write'],
    admin: needed,
    mail: ['', 'mail'],
    'notes:publish mail': ['', 'mail', 'notes:publish', 'notes:publish mail'],
    'mail notes:publish read': ['', 'read', 'mail', 'notes:publish', 'notes:publish mail'],
    'mail admin': needed
  })
})

t.test('a caller is shown and may call what its scopes cover', async (t) => {
  for (const [scope, shown] of Object.entries({
    read_write: ['any', 'read', 'read_write'],
    'notes:publish': ['any', 'notes_publish'],
    'mail notes:publish': ['any', 'notes_publish', 'notes_publish_mail'],
    admin: ['any', 'read', 'read_write', 'admin', 'notes_publish', 'notes_publish_mail']
  })) {
    const { client } = await serve(t, scope)
    const listed = await client.listTools()
    t.same([listed.tools.map(({ name }) => name), listed.cacheScope], [shown, 'private'], scope)
    for (const one of tools) {
      const called = await client.callTool(one.name).catch((error: unknown) => error)
      if (shown.includes(one.name)) t.match(called, { content: [{ text: 'Called.' }] })
      else t.match(called, { name: 'TestClientError', status: 403, data: { scope: one.scope } })
    }
  }
})

t.test('a challenge names the scope that is needed, and none at first where the scopes are of the server', async (t) => {
  const { app, client } = await serve(t, 'read', () => 'https://example.com/.well-known/oauth-protected-resource')
  t.equal((await client.listTools()).tools.length, tools.length)
  const post = async (method: string, params: object, headers: Record<string, string> = {}) => (await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    payload: { jsonrpc: '2.0', id: 1, method, params }
  })).headers
  const authorization = 'Bearer x'
  t.equal((await post('ping', {}))['www-authenticate'],
    'Bearer realm="test", resource_metadata="https://example.com/.well-known/oauth-protected-resource"')
  const { 'mcp-session-id': session } = await post('initialize', {
    protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' }
  }, { authorization })
  const refused = await post('tools/call', { name: 'notes_publish' }, { authorization, 'mcp-session-id': String(session) })
  t.match(refused['www-authenticate'], 'error="insufficient_scope", scope="notes:publish"')
})
