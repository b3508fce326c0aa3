// The packed engine in an empty folder: the examples of docs/how-to/build-your-own-server.md with both official TypeScript clients, and tools with
// schemas of zod, Valibot and ArkType.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import * as v2 from '@modelcontextprotocol/client'
import { freePort } from '../../scripts/services/process.mjs'
import { EXAMPLE_BEARER, installEngine } from '../helpers/engine-package.mjs'
import { LEGACY, MODERN, Provider, SDK_1, withBearer } from './official-clients.mjs'

const LIBRARIES = ['zod', 'valibot', '@valibot/to-json-schema', 'arktype']

describe('the packed engine', () => {
  let engine
  const servers = {}
  before(async () => {
    engine = await installEngine({ program: 'test/interop/schema-libraries.ts', packages: LIBRARIES })
    for (const name of engine.examples) servers[name] = await engine.start(name)
    // Which has to know its address where it sends clients to an authorization server.
    const PORT = String(await freePort())
    servers.atPublicUrl = await engine.start('notes-server', { PORT, PUBLIC_URL: `http://127.0.0.1:${PORT}` })
  })
  after(async () => {
    for (const server of Object.values(servers)) await server.stop()
    await engine?.remove()
  })

  const optionsOf = (name) => ['countdown-server', 'notes-server'].includes(name) ? withBearer(EXAMPLE_BEARER) : {}

  const CLIENTS = {
    '@modelcontextprotocol/sdk 1.32': SDK_1, '@modelcontextprotocol/client 2.4, legacy': LEGACY, '@modelcontextprotocol/client 2.4, modern': MODERN
  }

  /** What each example can do. */
  const CONVERSATIONS = {
    async 'dice-server' ({ client, callTool }) {
      assert.deepEqual((await client.listTools()).tools.map(({ name }) => name), ['roll_dice'])
      const { structuredContent } = await callTool('roll_dice', {})
      assert.ok(structuredContent.rolled >= 1 && structuredContent.rolled <= 6, 'the default is filled in')
      const wrong = await callTool('roll_dice', { sides: 1 })
      assert.equal(wrong.isError, true)
      assert.match(wrong.content[0].text, /sides must be at least 2/)
    },

    async 'countdown-server' ({ callTool }) {
      const steps = []
      const { content } = await callTool('count_down', { from: 3 }, { onprogress: ({ message }) => steps.push(message) })
      assert.equal(content[0].text, 'Done, Ada.')
      assert.deepEqual(steps, ['3 to go', '2 to go', '1 to go'])
    },

    async 'report-server' ({ callTool }) {
      const steps = []
      const { structuredContent } = await callTool('write_report', { pages: 2 }, { onprogress: ({ progress }) => steps.push(progress) })
      assert.deepEqual(structuredContent, { pages: 2 })
      assert.deepEqual(steps, [1, 2])
    },

    async 'notes-server' ({ client, callTool }) {
      assert.deepEqual((await client.listTools()).tools.map(({ name }) => name), ['read_notes', 'add_note'])
      const { content } = await callTool('add_note', { text: 'Salt', publish: true })
      assert.equal(content[0].text, 'Added and published.')
    },

    async 'view-server' ({ client, callTool }) {
      // These clients show no views, so they hear of none.
      const [tool] = (await client.listTools()).tools
      assert.equal(tool._meta, undefined)
      assert.deepEqual((await client.listResources()).resources, [])
      const { structuredContent } = await callTool('roll_dice', { dice: 3 })
      assert.equal(structuredContent.rolled.length, 3)
    }
  }

  test('the conversations are those of the examples', () => {
    assert.deepEqual(Object.keys(CONVERSATIONS).sort(), [...engine.examples].sort())
  })

  for (const [example, conversation] of Object.entries(CONVERSATIONS)) {
    for (const [title, { open }] of Object.entries(CLIENTS)) {
      test(`${example}: ${title}`, async () => {
        const { client, transport, revision, callTool } = open(servers[example].url, optionsOf(example))
        await client.connect(transport)
        if (revision !== undefined) assert.equal(client.getNegotiatedProtocolVersion(), revision)
        await conversation({ client, callTool })
        await client.close()
      })
    }
  }

  /** What the user's browser does; returns the query that comes back to the client. */
  const allow = async ({ asked }) => {
    const { headers } = await fetch(asked, { redirect: 'manual' })
    return new URL(headers.get('location')).searchParams
  }

  for (const [title, { open, finish }] of Object.entries(CLIENTS)) {
    test(`notes-server: ${title} asks for more scope when it needs more`, async () => {
      const notes = servers.atPublicUrl
      const { asked } = engine.authorizationServer
      asked.length = 0
      const authProvider = new Provider('http://127.0.0.1/callback')
      const first = open(notes.url, { authProvider })
      await assert.rejects(first.client.connect(first.transport), /[Uu]nauthorized/)
      await finish(first.transport, await allow(authProvider))

      const { client, transport, callTool } = open(notes.url, { authProvider })
      await client.connect(transport)
      assert.deepEqual((await client.listTools()).tools.map(({ name }) => name), ['read_notes', 'add_note'], 'shown before it may be called')
      await callTool('read_notes')
      for (const publish of [false, true]) {
        const call = () => callTool('add_note', { text: 'Salt', publish })
        await assert.rejects(call(), /[Uu]nauthorized/)
        await finish(transport, await allow(authProvider))
        assert.equal((await call()).content[0].text, publish ? 'Added and published.' : 'Added.')
      }
      assert.equal(asked[0], 'read')
      assert.equal(asked.length, 3, 'once for each operation that needs more')
      for (const [index, needed] of [['read_write'], ['read_write', 'notes:publish']].entries()) {
        for (const scope of needed) assert.ok(asked[index + 1].split(' ').includes(scope), asked.join(' | '))
      }
      await client.close()
    })
  }

  test('without a key the client is refused', async () => {
    const client = new v2.Client({ name: 'typescript-2', version: '1' })
    const connecting = client.connect(new v2.StreamableHTTPClientTransport(new URL(servers['countdown-server'].url)))
    await assert.rejects(connecting, /Unauthorized|401|valid credential/)
  })

  for (const [era, options] of Object.entries({ legacy: {}, modern: { versionNegotiation: { mode: 'auto' } } })) {
    test(`view-server: a client that declares views, ${era}`, async () => {
      const capabilities = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } }
      const client = new v2.Client({ name: 'typescript-2', version: '1' }, { ...options, capabilities })
      await client.connect(new v2.StreamableHTTPClientTransport(new URL(servers['view-server'].url)))
      const [tool] = (await client.listTools()).tools
      assert.deepEqual(tool._meta, { ui: { resourceUri: 'ui://dice/table' }, 'ui/resourceUri': 'ui://dice/table' })
      const [{ uri }] = (await client.listResources()).resources
      const { contents: [page] } = await client.readResource({ uri })
      assert.equal(page.mimeType, 'text/html;profile=mcp-app')
      assert.match(page.text, /^<!doctype html>/)
      assert.deepEqual(page._meta.ui, { csp: {}, prefersBorder: true })
      await client.close()
    })
  }

  // No released client knows the extension yet, so these two speak HTTP.
  const TASKS = 'io.modelcontextprotocol/tasks'
  const call = async (method, params) => {
    const name = params.name ?? params.taskId
    const reply = await fetch(servers['report-server'].url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(name !== undefined && { 'mcp-name': name })
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, extensions: { [TASKS]: {} } }
          }
        }
      })
    })
    const { result, error } = await reply.json()
    assert.equal(error, undefined, JSON.stringify(error))
    return result
  }
  const taskWith = async (taskId, ...statuses) => {
    for (;;) {
      const task = await call('tasks/get', { taskId })
      if (statuses.includes(task.status)) return task
      assert.ok(['working', 'input_required'].includes(task.status), JSON.stringify(task))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  test('report-server: a client that knows tasks gets one, and its result later', async () => {
    const { resultType, taskId } = await call('tools/call', { name: 'write_report', arguments: { pages: 2 } })
    assert.equal(resultType, 'task')
    const { result } = await taskWith(taskId, 'completed')
    assert.deepEqual(result.structuredContent, { pages: 2 })
  })

  test('report-server: a task asks, and goes on with the answer', async () => {
    const { taskId } = await call('tools/call', { name: 'publish_report', arguments: {} })
    const { inputRequests } = await taskWith(taskId, 'input_required')
    assert.equal(inputRequests.agreed.params.message, 'Publish the report?')
    await call('tasks/update', { taskId, inputResponses: { agreed: { action: 'accept', content: {} } } })
    const { result } = await taskWith(taskId, 'completed')
    assert.deepEqual(result.structuredContent, { published: true })
  })

  test('tools with schemas of libraries, in two servers of one app', () => {
    // Without the variable it is a run of its own, which says in words how it went.
    const { NODE_TEST_CONTEXT, ...env } = process.env
    const { status, stdout } = spawnSync(process.execPath, ['schema-libraries.js'], { cwd: engine.folder, encoding: 'utf8', env })
    assert.equal(status, 0, stdout)
    assert.match(stdout, /# pass 6\n# fail 0/)
  })
})
