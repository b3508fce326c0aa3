// Characters that no one sees are in no result of a tool and no resource, however it reaches the client.
import fc from 'fast-check'
import { result } from 'exploration-mcp/engine'
import t from 'tap'
import { stripInvisible } from '../../src/lib/text/invisible.js'
import { mayHoldInvisible } from '../../src/engine/visible-result.js'
import { anyText, runs } from '../helpers/fuzzing.js'
import { resource, serve, tool } from './serve.js'

const HIDDEN = ['\u200b', '\u202e', '\u00ad', '\b', '\u0001', '\u007f', '\u{E0041}']
const TEXT = `seen${HIDDEN.join('')}`
const answer = () => result({ inside: [TEXT] }, TEXT)
const constant = { ...answer(), constant: true }

const tools = [
  tool('at_once', async () => answer()),
  tool('always_alike', async () => constant),
  tool('in_steps', async function * () {
    yield { kind: 'progress', progress: 1 }
    return answer()
  }),
  tool('as_a_task', async function * () {
    yield { kind: 'task' }
    return answer()
  })
]

const seen = resource('x://{id}', {
  read: async () => ({ mimeType: 'text/plain', text: TEXT }),
  list: async () => ({ entries: [{ uri: 'x://1', name: TEXT }] })
})

const VISIBLE = { content: [{ type: 'text', text: 'seen' }], structuredContent: { inside: ['seen'] } }

for (const replyMode of ['auto', 'json', 'sse'] as const) {
  t.test(`results of tools, replies ${replyMode}`, async (t) => {
    const client = await serve(t, { tools, resources: [seen], tasks: true, replyMode }, { capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } })
    for (const name of ['at_once', 'always_alike', 'in_steps']) {
      const { content, structuredContent } = await client.callTool(name)
      t.same({ content, structuredContent }, VISIBLE, name)
    }
    const { taskId } = await client.request('tools/call', { name: 'as_a_task', arguments: {} })
    let task = await client.request('tasks/get', { taskId })
    while (task['status'] === 'working') task = await client.request('tasks/get', { taskId })
    t.same(task['result'], VISIBLE)
    t.match(await client.listResources(), { resources: [{ name: /^seen$/ }] })
    t.match(await client.readResource('x://1'), { contents: [{ text: /^seen$/ }] })
  })
}

t.test('no text with such a character passes for one without', async () => {
  const text = fc.oneof(fc.string({ unit: fc.constantFrom(...HIDDEN, '\\', '"', 'b', 'u', '0', 'é', '\n') }), anyText())
  fc.assert(fc.property(text, (text) =>
    stripInvisible(text) === text || mayHoldInvisible(JSON.stringify({ text }))), runs(4000))
})
