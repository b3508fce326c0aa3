// The client for tests of servers: every method of it, in every revision.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  memoryChanges, progress, requestInput, result, REVISIONS,
  type Revision, type TestClientOptions, type TestNotification, type Tool
} from 'exploration-mcp/engine'
import t, { type Test } from 'tap'
import { gate, resource, serve as serveEngine, tool, type Options } from '../serve.js'

const countDown: Tool<{ from: number }> = {
  name: 'count_down',
  description: 'Counts down.',
  input: { type: 'object', properties: { from: { type: 'integer', default: 2 } } },
  async * run ({ from }) {
    for (let done = 0; done < from; done++) yield progress(done, from, `${from - done} to go`)
    yield { kind: 'log', level: 'info', data: 'lift-off' }
    return result({ from }, 'Done.')
  }
}

const greet = tool('greet', async function * () {
  const names = []
  for (const message of ['First?', 'Second?']) {
    const { name } = yield * requestInput({
      name: { method: 'elicitation/create', params: { message, requestedSchema: { type: 'object', properties: {} } } }
    })
    names.push((name['content'] as { name: string }).name)
  }
  return result({ names }, `Hello ${names.join(' and ')}.`)
})

const REGION: { type: 'string' } = Object.assign({ type: 'string' as const }, { 'x-mcp-header': 'Region' })

const mirrored: Tool<{ region: string }> = {
  name: 'mirrored',
  description: 'Has an argument that a header mirrors.',
  input: { type: 'object', properties: { region: REGION } },
  run: async ({ region }) => result({ region }, region)
}

const patient = (aborted: () => void) => tool('patient', async function * (_, { signal }) {
  yield progress(1)
  await sleep(60_000, undefined, { signal }).catch(aborted)
  return result({}, 'Waited.')
})

const silent = (begun: () => void, aborted: () => void) => tool('silent', async (_, { signal }) => {
  signal.addEventListener('abort', aborted)
  begun()
  await sleep(60_000, undefined, { signal }).catch(() => {})
  return result({}, 'Stopped.')
})

const returning = tool('returning', async function * () {
  yield { kind: 'release', retryMs: 1 }
  return result({ back: true }, 'Back.')
})

const note = resource('note://{name}', {
  read: async ({ name }) => name === 'none' ? undefined : { mimeType: 'text/plain', text: `Note ${name}` }
})

const serve = (t: Test, client: TestClientOptions = {}, options: Options = {}) =>
  serveEngine(t, { tools: [countDown, greet, mirrored, returning], resources: [note], logs: true, ...options }, client)

const answer = ({ params }: { params: Readonly<Record<string, unknown>> }) =>
  ({ action: 'accept', content: { name: params['message'] === 'First?' ? 'Ada' : 'Grace' } })

for (const revision of REVISIONS) {
  t.test(revision, async (t) => {
    const client = await serve(t, { revision, answer })
    const isAtLeast = (other: Revision) => revision >= other
    t.equal(client.revision, revision)
    t.same((await client.listTools()).tools.map(({ name }) => name), ['count_down', 'greet', 'mirrored', 'returning'])

    const seen: TestNotification[] = []
    const onNotification = (one: TestNotification) => { seen.push(one) }
    const counted = await client.callTool<{ from: number }>('count_down', {}, { onNotification })
    t.same(counted.content, [{ type: 'text', text: 'Done.' }])
    if (isAtLeast('2025-06-18')) t.equal(counted.structuredContent.from, 2)
    t.same(seen.map(({ method }) => method), ['notifications/progress', 'notifications/progress', 'notifications/message'])
    if (isAtLeast('2025-03-26')) t.equal(seen[1]?.params['message'], '1 to go')

    t.match(await client.callTool('greet'), { content: [{ text: 'Hello Ada and Grace.' }] })
    t.match(await client.callTool('mirrored', { region: 'Zürich' }), { content: [{ text: 'Zürich' }] })
    t.match(await client.callTool('returning'), { content: [{ text: 'Back.' }] })

    t.match(await client.readResource('note://ä'), { contents: [{ uri: 'note://ä', text: 'Note ä' }] })
    await t.rejects(client.readResource('note://none'), { name: 'TestClientError', code: isAtLeast('2026-07-28') ? -32602 : -32002 })
  })
}

for (const revision of ['2025-11-25', '2026-07-28'] as const) {
  t.test(`${revision}: a request is cancelled, also one that has sent nothing yet`, async (t) => {
    for (const isSilent of [false, true]) {
      const left = new AbortController()
      const leave = () => left.abort(new Error('enough'))
      const { open: aborted, opened: stopped } = gate()
      const waits = isSilent ? silent(leave, aborted) : patient(aborted)
      const client = await serve(t, { revision }, { tools: [waits] })
      await t.rejects(client.callTool(waits.name, {}, { onNotification: leave, signal: left.signal }), /enough/)
      await stopped
      await t.rejects(client.callTool(waits.name, {}, { signal: left.signal }), /enough/)
    }
  })

  t.test(`${revision}: closing ends what is open`, async (t) => {
    const client = await serve(t, { revision }, { changes: memoryChanges(), tools: [patient(() => {})] })
    const heard = (await client.listen({ resourcesListChanged: true })).next()
    let closing: Promise<void> | undefined
    const calling = client.callTool('patient', {}, { onNotification: () => { closing = client.close() } })
    await t.rejects(calling, /closed/)
    await closing
    t.ok((await heard).done)
    await t.rejects(client.listTools(), /closed/)
  })
}

t.test('what it is refused', async (t) => {
  const client = await serve(t)
  await t.rejects(client.callTool('greet'), { code: -32021, status: 400, data: { requiredCapabilities: { elicitation: {} } } })
  await t.rejects(client.listen({ toolsListChanged: true }), { code: -32601 })
  const authenticate = async () => ({ reason: 'missing', hint: 'Send a key.' })
  await t.rejects((await serve(t, {}, { authenticate })).listTools(), { code: 401, status: 401 })
  await t.rejects(serve(t, { revision: '2025-11-25' }, { authenticate }), { code: 401 })
  await t.rejects((await serve(t, { path: '/other' })).listTools(), { code: 404, status: 404 })
  await t.rejects(
    (await serve(t, { capabilities: { elicitation: {} } })).callTool('greet'), /give testClient the option "answer"/)
})

t.test('an older revision than asked for is agreed on, and a server without sessions has none', async (t) => {
  const older = await serve(t, { revision: '2025-11-25' }, { revisions: ['2025-06-18'] })
  t.equal(older.revision, '2025-06-18')
  const stateless = await serve(t, { revision: '2025-11-25' }, { sessions: false })
  t.match(await stateless.callTool('count_down'), { structuredContent: { from: 2 } })
  await t.rejects(stateless.listen({ toolsListChanged: true }), { code: 405, status: 405 })
})

t.test('headers', async (t) => {
  const client = await serve(t, { headers: { authorization: 'Bearer ada' } }, {
    authenticate: async ({ headers }) => ({ principal: { credential: { id: String(headers.authorization), scope: 'read' } } }),
    tools: [tool('who', async (_, { principal }) => result({}, principal.credential.id))]
  })
  t.match(await client.callTool('who'), { content: [{ text: 'Bearer ada' }] })
})
