// Tools that come and go after the plugin was registered.
import { defineTool, memoryChanges, result, toolSet, type TestClient, type Tool } from 'exploration-mcp/engine'
import t from 'tap'
import { serve } from '../serve.js'

const tool = (name: string) => defineTool({ name, description: `The tool ${name}.` }, async () => result({}, name))

const namesOf = async (client: TestClient) => (await client.listTools()).tools.map(({ name }) => name)

for (const revision of ['2025-11-25', '2026-07-28'] as const) {
  t.test(`${revision}: tools come and go, and clients that listen are notified`, async (t) => {
    const tools = toolSet()
    const client = await serve(t, { tools }, { revision })
    t.same(await namesOf(client), [])
    const heard = await client.listen({ toolsListChanged: true })
    tools.add(tool('a'), tool('b'))
    t.equal((await heard.next()).value?.method, 'notifications/tools/list_changed')
    t.same(await namesOf(client), ['a', 'b'])
    t.match(await client.callTool('a'), { content: [{ text: 'a' }] })
    tools.remove('a', 'unknown')
    t.equal((await heard.next()).value?.method, 'notifications/tools/list_changed')
    t.same(await namesOf(client), ['b'])
    await t.rejects(client.callTool('a'), { message: 'There is no tool of this name. tools/list shows: b.' })
  })
}

t.test('a tool that cannot be served changes nothing, in any of the servers', async (t) => {
  const tools = toolSet([tool('a')])
  const first = await serve(t, { tools })
  const second = await serve(t, { tools })
  t.throws(() => tools.add(tool('a')), /two tools of the name "a"/)
  t.throws(() => toolSet([tool('a'), tool('a')]), /two tools of the name "a"/)
  const invalid = { ...tool('c'), input: { type: 'object', properties: { x: { type: 'whatever' } } } } as unknown as Tool
  t.throws(() => tools.add(tool('b'), invalid), /type/)
  t.same([...tools].map(({ name }) => name), ['a'])
  t.same([await namesOf(first), await namesOf(second)], [['a'], ['a']])
  tools.add(tool('b'))
  t.same([await namesOf(first), await namesOf(second)], [['a', 'b'], ['a', 'b']])
})

t.test('a tool that was replaced is the new one, and mirrored headers are those of its schema', async (t) => {
  const tools = toolSet([tool('a')])
  const client = await serve(t, { tools })
  tools.remove('a')
  tools.add(defineTool({
    name: 'a', description: 'Another.', input: { type: 'object', properties: { x: { type: 'string', 'x-mcp-header': 'X' } } }
  }, async ({ x = '' }) => result({}, x)))
  t.match(await client.callTool('a', { x: 'new' }), { content: [{ text: 'new' }] })
})

t.test('changes of the server announce it, where their lists have tools', async (t) => {
  const tools = toolSet([tool('a')])
  const changes = memoryChanges({ lists: ['tools', 'resources'] })
  const client = await serve(t, { tools, changes })
  const heard = await client.listen({ toolsListChanged: true })
  tools.add(tool('b'))
  t.equal((await heard.next()).value?.method, 'notifications/tools/list_changed')
  const silent = await serve(t, { tools, changes: memoryChanges() })
  t.match(await silent.request('server/discover'), { capabilities: { tools: { listChanged: undefined } } })
  tools.remove('b')
  t.same(await namesOf(silent), ['a'])
})
