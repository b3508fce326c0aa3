// A tool that tells its callers apart: for some there is none of this name, some are refused, and only those who may call it are shown it.
import fastify from 'fastify'
import { createMcpPlugin, result, type Principal, type Scope, type Tool } from 'exploration-mcp/engine'
import t from 'tap'

interface Caller extends Principal { group: 'in' | 'out' | 'unknown' }

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {}, 'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' }
}
const input = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false } as const
const done = async () => result({ done: true }, 'Done.')
const open: Tool<never> = { name: 'open', description: 'For all.', input: { type: 'object' }, run: done }
const write: Tool<never, unknown, Caller> = {
  name: 'write',
  description: 'For some.',
  scope: 'read_write',
  input,
  access: ({ group }) => group === 'in' ? 'granted' : group === 'out' ? { message: 'Not in this group.', hint: 'Ask for it.' } : 'unknown',
  run: done
}

const SCOPES: Record<string, Scope> = { r: 'read', w: 'read_write', a: 'admin' }
const serve = async (tools: ReadonlyArray<Tool<never, unknown, Caller>>) => {
  const app = fastify()
  t.teardown(() => app.close())
  await app.register(createMcpPlugin<object, Caller>({
    server: { name: 'groups', version: '1.0.0' },
    instructions: 'Read.',
    instructionsFor: ({ group, credential }) => group === 'in' && credential.scope !== 'read' ? 'Read and write.' : undefined,
    tools,
    async authenticate ({ headers: { authorization = '' } }) {
      const [group, scope = ''] = authorization.replace('Bearer ', '').split('-')
      return { principal: { credential: { id: authorization, scope: SCOPES[scope] ?? 'read' }, group: group as Caller['group'] } }
    }
  }))
  return async (bearer: string, method: string, params: Record<string, unknown> = {}) => {
    const reply = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${bearer}`,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...typeof params['name'] === 'string' && { 'mcp-name': params['name'] }
      },
      payload: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: META } })
    })
    return { status: reply.statusCode, challenge: reply.headers['www-authenticate'], body: reply.json<Record<string, unknown>>(), text: reply.body }
  }
}
const ask = await serve([open, write])
const names = ({ body }: { body: object }) => (body as { result: { tools: Array<{ name: string }> } }).result.tools.map(({ name }) => name)
const call = (bearer: string, args: object = {}) => ask(bearer, 'tools/call', { name: 'write', arguments: args })

t.test('only those who may call it are shown it; for all others the list is as if there were no such tool', async (t) => {
  const bare = await serve([open])
  const wanted = (await bare('unknown-a', 'tools/list')).text
  for (const bearer of ['in-r', 'out-r', 'unknown-r', 'out-w', 'unknown-w', 'out-a', 'unknown-a']) {
    t.equal((await ask(bearer, 'tools/list')).text, wanted, bearer)
  }
  t.match(wanted, '"cacheScope":"public"')
  for (const bearer of ['in-w', 'in-a']) {
    const list = await ask(bearer, 'tools/list')
    t.same(names(list), ['open', 'write'])
    t.match(list.body, { result: { cacheScope: 'private' } }, 'no cache gives it to others')
  }
})

t.test('a call: unknown, then the scope, then the access, then the arguments', async (t) => {
  for (const bearer of ['unknown-r', 'unknown-a']) {
    t.match(await call(bearer), { body: { error: { code: -32602, message: 'There is no tool of this name. tools/list shows: open.' } } }, bearer)
  }
  for (const bearer of ['in-r', 'out-r']) t.match(await call(bearer), { status: 403, challenge: /insufficient_scope", scope="read_write"/ }, bearer)
  t.match(await call('out-a'), { status: 403, challenge: undefined, body: { error: { message: 'Not in this group.', data: { hint: 'Ask for it.' } } } })
  t.match(await call('in-w'), { status: 200, body: { result: { isError: true } } })
  t.match(await call('in-w', { text: 'x' }), { status: 200, body: { result: { structuredContent: { done: true } } } })
})

t.test('instructions of their own, which no shared cache keeps', async (t) => {
  t.match((await ask('in-w', 'server/discover')).body, { result: { instructions: 'Read and write.', cacheScope: 'private' } })
  t.match((await ask('in-r', 'server/discover')).body, { result: { instructions: 'Read.', cacheScope: 'public' } })
  t.match((await ask('in-w', 'server/discover')).body, { result: { instructions: 'Read and write.' } })
})
