// Characters that no one sees are in no result of a tool, however it reaches the client.
import fastify from 'fastify'
import fc from 'fast-check'
import { createMcpPlugin, result, type McpPluginOptions, type Tool } from 'exploration-mcp/engine'
import t, { type Test } from 'tap'
import { stripInvisible } from '../../src/lib/text/invisible.js'
import { mayHoldInvisible } from '../../src/engine/visible-result.js'
import { anyText, runs } from '../helpers/fuzzing.js'

const HIDDEN = ['\u200b', '\u202e', '\u00ad', '\b', '\u0001', '\u007f', '\u{E0041}']
const TEXT = `seen${HIDDEN.join('')}`
const input = { type: 'object' as const, additionalProperties: false as const }
const answer = () => result({ inside: [TEXT] }, TEXT)
const constant = { ...answer(), constant: true }

const tools: Tool[] = [
  { name: 'at_once', description: 'Answers.', input, run: async () => answer() },
  { name: 'always_alike', description: 'Answers the same.', input, run: async () => constant },
  {
    name: 'in_steps',
    description: 'Answers in steps.',
    input,
    async * run () {
      yield { kind: 'progress', progress: 1 }
      return answer()
    }
  },
  {
    name: 'as_a_task',
    description: 'Answers as a task.',
    input,
    async * run () {
      yield { kind: 'task' }
      return answer()
    }
  }
]

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  progressToken: 1
}

interface Reply { result: { taskId: string, status?: string, result?: unknown, content?: unknown, structuredContent?: unknown } }

const server = async (t: Test, options: Partial<McpPluginOptions>) => {
  const app = fastify()
  t.teardown(() => app.close())
  await app.register(createMcpPlugin({ server: { name: 'test', version: '1' }, tools, tasks: true, ...options }))
  return async (method: string, params: { name?: string, taskId?: string }) => {
    const name = params.name ?? params.taskId
    const { body } = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: {
        host: 'localhost',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(name !== undefined && { 'mcp-name': name })
      },
      payload: { jsonrpc: '2.0', id: 1, method, params: { _meta: META, ...params } }
    })
    const last = body.startsWith('{') ? body : body.slice(body.lastIndexOf('data: {') + 'data: '.length)
    return JSON.parse(last) as Reply
  }
}

const VISIBLE = { content: [{ type: 'text', text: 'seen' }], structuredContent: { inside: ['seen'] } }

for (const replyMode of ['auto', 'json', 'sse'] as const) {
  t.test(`results of tools, replies ${replyMode}`, async (t) => {
    const send = await server(t, { replyMode })
    for (const name of ['at_once', 'always_alike', 'in_steps']) {
      const { result: { content, structuredContent } } = await send('tools/call', { name })
      t.same({ content, structuredContent }, VISIBLE, name)
    }
    const { result: { taskId } } = await send('tools/call', { name: 'as_a_task' })
    let task = await send('tasks/get', { taskId })
    while (task.result.status === 'working') task = await send('tasks/get', { taskId })
    t.same(task.result.result, VISIBLE)
  })
}

t.test('no text with such a character passes for one without', async () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...HIDDEN, '\\', '"', 'b', 'u', '0', 'é', '\n') }), (text) =>
    stripInvisible(text) === text || mayHoldInvisible(JSON.stringify({ text }))), runs(2000))
  fc.assert(fc.property(anyText(), (text) =>
    stripInvisible(text) === text || mayHoldInvisible(JSON.stringify({ text }))), runs(2000))
})
