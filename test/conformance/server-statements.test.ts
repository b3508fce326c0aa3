// What a server sends whatever it is asked: statements of the specification that no other test is about.
import t from 'tap'
import type { InputRequest } from 'exploration-mcp/engine'
import { tool } from '../engine/serve.js'
import { handshake, legacy, meta, modern } from '../helpers/build.js'
import { session, type Message, type Stream } from '../helpers/wire.js'
import { served } from './served.js'
import { inputTools } from './input-tools.js'
import { meets } from './requirements.js'

const talks = tool('talks', async function * () {
  yield { kind: 'progress', progress: 1 }
  yield { kind: 'log', level: 'error', data: 'a line', logger: 'talks' }
  return { content: [{ type: 'text', text: 'done' }] }
})

const ref = { type: 'ref/prompt', name: 'test_prompt_with_arguments' }
type Call = [method: string, params: Record<string, unknown>]
const CALLS: readonly Call[] = [
  ['server/discover', {}], ['tools/list', {}], ['prompts/list', {}], ['resources/list', {}], ['resources/templates/list', {}],
  ['resources/read', { uri: 'test://static-text' }], ['resources/read', { uri: 'test://nothing' }],
  ['completion/complete', { ref, argument: { name: 'arg1', value: 'p' } }], ['completion/complete', {}],
  ['prompts/get', { name: 'test_simple_prompt' }], ['prompts/get', { name: 'test_input_required_result_prompt' }],
  ['prompts/get', { name: 'nothing' }], ['nothing', {}],
  ...['talks', 'test_error_handling', 'nothing', ...inputTools.map(({ name }) => name)]
    .map((name): Call => ['tools/call', { name, arguments: { message: 'x', prompt: 'x' } }])
]
const LISTS = ['tools/list', 'prompts/list', 'resources/list']
const INPUT_METHODS = ['elicitation/create', 'sampling/createMessage', 'roots/list']

const messagesOf = (text: string): Message[] => text.startsWith('{')
  ? [JSON.parse(text) as Message]
  : [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data!) as Message)

t.test('each reply of a server', async (t) => {
  const { app, client } = await served(t, { tools: [talks] })
  const listed = async () => Promise.all(LISTS.map(async (method) => (await modern(app, 'any', method)).text))
  const before = await listed()

  const replies: Array<{ name: string, messages: Message[] }> = []
  for (const [method, params] of CALLS) {
    const _meta = meta({
      progressToken: 'p',
      'io.modelcontextprotocol/logLevel': 'debug',
      'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, sampling: {}, roots: {} }
    })
    replies.push({ name: `modern ${method}`, messages: messagesOf((await modern(app, 'any', method, { ...params, _meta })).text) })
  }
  const headers = await session(client)
  for (const [method, params] of CALLS.slice(1)) {
    const stream = await client.post({ id: 1, method, params: { ...params, _meta: { progressToken: 'p' } } }, headers)
    replies.push({ name: `legacy ${method}`, messages: (await stream.rest()).flatMap(({ message }) => message ?? []) })
  }

  await t.test('has one response, with a result or an error, and notifications without id', async (t) => {
    meets('response-fields', 'notification-no-id', 'cancelled-only-subscriptions')
    const seen = new Set<string>()
    for (const { name, messages } of replies) {
      const { id, result, error } = messages.at(-1)!
      t.equal(id, 1, `${name}: the id of the request`)
      t.equal((result === undefined) !== (error === undefined), true, `${name}: a result or an error, never both`)
      if (error) t.ok(Number.isInteger(error.code) && error.message.length > 0, name)
      for (const notification of messages.slice(0, -1)) {
        t.notOk('id' in notification, `${name}: no id`)
        seen.add(notification.method!)
      }
    }
    t.strictSame([...seen].sort(), ['notifications/message', 'notifications/progress'], 'and no notifications/cancelled')
  })

  await t.test('asks only in answer to what may be answered by a question', async (t) => {
    meets('input-methods', 'input-keys')
    const asking = replies.filter(({ messages }) => messages.at(-1)!.result?.['resultType'] === 'input_required')
    t.strictSame([...new Set(asking.map(({ name }) => name))].sort(), ['modern prompts/get', 'modern tools/call'])
    for (const { name, messages } of asking) {
      const requests = Object.values(messages.at(-1)!.result!['inputRequests'] as Record<string, InputRequest>)
      t.ok(requests.length > 0, name)
      for (const { method } of requests) t.ok(INPUT_METHODS.includes(method), `${name}: ${method}`)
    }
  })

  await t.test('lists the same, on each connection and whatever was asked before', async (t) => {
    meets('lists-per-caller')
    t.strictSame(await listed(), before)
    for (const [index, method] of LISTS.entries()) {
      t.strictSame(await (await client.modern(method)).message(), JSON.parse(before[index]!), method)
    }
    const other = await handshake(app, 'any')
    for (const method of LISTS) {
      t.strictSame(
        (await legacy<Message>(app, 'any', other, method)).body.result,
        (await (await client.post({ id: 1, method }, headers)).message())!.result,
        method
      )
    }
  })
})

t.test('what belongs to a request is on its own stream', async (t) => {
  meets('logging-own-stream', 'unrelated-on-get')
  const { app, client } = await served(t, { tools: [talks] })
  const headers = await session(client)
  const listening = await client.modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, 'listening')
  await listening.message()
  const got = await client.get(headers)
  await got.next()

  const call = { name: 'talks', _meta: meta({ progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' }) }
  const kinds = ['notifications/progress', 'notifications/message', undefined]
  const own = async (stream: Promise<Stream>) => (await (await stream).rest()).flatMap(({ message }) => message ? [message.method] : [])
  t.strictSame(await own(client.modern('tools/call', call)), kinds)
  t.strictSame(await own(client.post({ id: 5, method: 'tools/call', params: { name: 'talks', _meta: { progressToken: 'p' } } }, headers)), kinds)
  await (await client.modern('tools/call', { name: 'test_trigger_tool_change' })).rest()

  const closed = app.close()
  const heard = async (stream: typeof got) => (await stream.rest()).flatMap(({ message }) => message?.method ?? [])
  t.strictSame(await heard(listening), ['notifications/tools/list_changed', 'notifications/cancelled'])
  t.strictSame(await heard(got), ['notifications/tools/list_changed'])
  await closed
})
