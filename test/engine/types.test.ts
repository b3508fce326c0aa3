// What the types of tools, resources, prompts and servers can say, in every revision that has it.
import { defineTool, memoryChanges, result, REVISIONS, type Icon, type Revision } from 'exploration-mcp/engine'
import t from 'tap'
import { initialize, post } from '../helpers/build.js'
import { resource, serve, serveApp } from './serve.js'

const icons: Icon[] = [{ src: 'https://example.com/die.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' }]

const tool = defineTool({ name: 'tool', description: 'A tool.', icons }, async () => result({}, 'x'))
const readme = resource('file:///readme.md', {
  size: 6,
  icons,
  annotations: { audience: ['assistant'], priority: 0.5, lastModified: '2026-11-24T12:00:00Z' },
  _meta: { 'example.com/owner': 'docs' },
  read: async () => ({ mimeType: 'text/markdown', text: 'Hello.', _meta: { 'example.com/lines': 1 } })
})
const folder = resource('file:///folder/{name}', {
  icons,
  async read ({ name = '' }) {
    if (name === 'empty') return []
    return [
      { mimeType: 'text/plain', text: `${name} \u{e0041}a` },
      { uri: `file:///folder/${name}/b`, mimeType: 'image/png', blob: 'AAAA', lastModified: '2026-11-24T12:00:00Z' }
    ]
  }
})

for (const revision of REVISIONS) {
  const has = (since: Revision) => revision >= since

  t.test(`${revision}: icons; size, annotations and metadata of a resource; several contents of one`, async (t) => {
    const client = await serve(t, {
      server: { name: 'test', version: '1', icons },
      tools: [tool],
      resources: [readme, folder],
      prompts: [{ name: 'prompt', description: 'A prompt.', icons, get: async () => ({ messages: [], _meta: { 'example.com/x': 1 } }) }]
    }, { revision })
    const expected = has('2025-11-25') ? icons : undefined
    t.same((await client.listTools()).tools.map((listed) => listed.icons), [expected])
    t.match(await client.request('resources/templates/list'), { resourceTemplates: [{ icons: expected }] })
    t.match(await client.request('prompts/list'), { prompts: [{ icons: expected }] })
    t.match(await client.getPrompt('prompt'), { _meta: { 'example.com/x': 1 } })

    const { resources } = await client.listResources()
    t.same(resources.map((listed) => [listed.icons, listed.size, listed.annotations, listed._meta]),
      [[expected, 6, has('2025-06-18') ? readme.annotations : undefined, readme._meta]])
    const { contents: [read] } = await client.readResource('file:///readme.md')
    t.same(read?._meta, has('2025-06-18') ? { 'example.com/lines': 1 } : undefined)

    t.match((await client.readResource('file:///folder/x')).contents, [
      { uri: 'file:///folder/x', mimeType: 'text/plain', text: 'x a' },
      { uri: 'file:///folder/x/b', mimeType: 'image/png', blob: 'AAAA', ...has('2025-06-18') && { _meta: { lastModified: '2026-11-24T12:00:00Z' } } }
    ])
    t.same((await client.readResource('file:///folder/empty')).contents, [])
  })
}

t.test('the server says its icons where it is asked who it is, and not in every result', async (t) => {
  const server = { name: 'test', version: '1', icons }
  const KEY = 'io.modelcontextprotocol/serverInfo'
  const modern = await serve(t, { server, tools: [tool] })
  t.match(await modern.request('server/discover'), { _meta: { [KEY]: server } })
  const { _meta: meta } = await modern.callTool('tool')
  t.same(meta?.[KEY], { name: 'test', version: '1' })
  const app = await serveApp(t, { server })
  const named = async (revision: string) =>
    (await post(app, undefined, initialize(revision))).body.result.serverInfo
  t.same(await named('2025-11-25'), server)
  t.same(await named('2025-06-18'), { name: 'test', version: '1' })
})

t.test('many resources are looked up in one call, and read where only that can tell', async (t) => {
  const calls: string[][] = []
  const reads: string[] = []
  const resources = ['a', 'b'].map((name) => resource(`${name}://{id}`, {
    read: async ({ id = '' }) => {
      reads.push(`${name} ${id}`)
      return id === 'gone' ? undefined : { mimeType: 'text/plain', text: id }
    }
  }))
  const changes = memoryChanges()
  const client = await serve(t, {
    resources,
    changes,
    async locateResources (matched) {
      calls.push(matched.map(({ uri, template, variables }) => `${uri} ${template} ${variables['id']}`))
      return matched.map(({ template, variables }) => template === 'a://{id}' ? variables['id'] !== 'gone' : undefined)
    }
  })
  const heard = await client.listen({ resourceSubscriptions: ['a://1', 'a://gone', 'b://2', 'b://gone', 'c://3'] })
  t.same(calls, [['a://1 a://{id} 1', 'a://gone a://{id} gone', 'b://2 b://{id} 2', 'b://gone b://{id} gone']])
  t.same(reads, ['b 2', 'b gone'])
  for (const uri of ['a://gone', 'b://gone', 'a://1', 'b://2']) changes.announce({ kind: 'updated', uri })
  t.match([(await heard.next()).value, (await heard.next()).value], [{ params: { uri: 'a://1' } }, { params: { uri: 'b://2' } }])
})
