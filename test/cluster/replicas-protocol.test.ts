// Three replicas of the engine alone, with work that takes its time and asks: each request to another one, and some of them die.
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { progress, type RequestContext, type HandlerEvent } from '../../src/engine/request-context.js'
import { valkeyAskedIds } from '../../src/cluster/valkey-asked-ids.js'
import type { Tool, ToolResult } from '../../src/engine/tools/tool.js'
import { memorySessionPreferences } from '../../src/engine/eras/legacy/session-preferences.js'
import { memoryTaskStore } from '../../src/engine/tasks/memory-task-store.js'
import { fixture } from '../conformance/fixture.js'
import { meta } from '../helpers/build.js'
import { until } from '../helpers/until.js'
import { replicaLog, VALKEY, valkey } from '../helpers/valkey.js'
import { session, wire, type Message } from '../helpers/wire.js'

const DONE: ToolResult = { content: [{ type: 'text', text: 'Done.' }] }

const tool = (name: string, run: Tool['run']): Tool<never> =>
  ({ name, title: name, description: name, scope: 'read', input: { type: 'object', additionalProperties: false }, run })

/** Says something at once, and the rest when it may. */
const halves = () => {
  let go = (): void => {}
  const rest = new Promise<void>((resolve) => { go = resolve })
  const stopped: string[] = []
  const work = tool('work', async function * (_input: unknown, { signal }: RequestContext): AsyncGenerator<HandlerEvent, ToolResult, unknown> {
    signal.addEventListener('abort', () => stopped.push('stopped'), { once: true })
    yield progress(1, 2)
    await rest
    yield progress(2, 2)
    return DONE
  })
  return { go, work, stopped }
}

const three = async (t: Test, tools: ReadonlyArray<Tool<never>> = []) => {
  const tasks = memoryTaskStore()
  const preferences = memorySessionPreferences()
  return Promise.all([1, 2, 3].map(async () => {
    const { bus, log: eventStore, connection, die } = await replicaLog(t)
    const shared = { bus, askedIds: valkeyAskedIds(connection), events: eventStore, tasks, sessionPreferences: preferences }
    const app = await fixture({ tools, shared })
    t.teardown(() => app.close())
    return {
      client: await wire(t, app, 'any'),
      /** As a machine goes that loses its power: nothing is said any more, to no one. */
      async kill () {
        die()
        bus.close()
        await connection.close()
        app.server.closeAllConnections()
        app.server.close()
      }
    }
  }))
}

type Replica = Awaited<ReturnType<typeof three>>[number]

const call = (name: string, token?: string) =>
  ({ id: 5, method: 'tools/call', params: { name, ...(token !== undefined && { _meta: { progressToken: token } }) } })

t.test('replicas of the protocol', { skip: VALKEY === undefined && 'no TEST_VALKEY_URL' }, async (t) => {
  await t.test('a connection that was lost: the rest comes from another replica, nothing twice', async (t) => {
    const { go, work } = halves()
    const [a, b, c] = await three(t, [work])
    const headers = await session(a!.client)
    const lost = await b!.client.post(call('work', 'p'), headers)
    await lost.next()
    const { id } = (await lost.next()).value!
    lost.close()
    const back = await c!.client.get({ ...headers, 'last-event-id': id! })
    go()
    t.match((await back.rest()).map(({ message }) => message), [{ params: { progress: 2 } }, { id: 5, result: DONE }])
  })

  await t.test('a replica that was killed after the end: all of it from another', async (t) => {
    const { go, work } = halves()
    const [a, b] = await three(t, [work])
    const headers = await session(a!.client)
    const whole = await a!.client.post(call('work', 'p'), headers)
    const { id } = (await whole.next()).value!
    go()
    await whole.rest()
    await a!.kill()
    const back = await b!.client.get({ ...headers, 'last-event-id': id! })
    t.match((await back.rest()).map(({ message }) => message),
      [{ params: { progress: 1 } }, { params: { progress: 2 } }, { id: 5, result: DONE }])
  })

  await t.test('a replica that was killed in the middle: what it said, and an error that says what to do', async (t) => {
    const { work } = halves()
    const [a, b, c] = await three(t, [work])
    const headers = await session(a!.client)
    const lost = await a!.client.post(call('work', 'p'), headers)
    const { id } = (await lost.next()).value!
    await lost.next()
    await a!.kill()
    await t.rejects(lost.next())
    const told = await (await b!.client.get({ ...headers, 'last-event-id': id! })).rest()
    t.match(told.map(({ message }) => message),
      [{ params: { progress: 1 } }, { id: 5, error: { code: -32603, message: /has stopped. Send the request again/ } }])
    const again = await (await c!.client.get({ ...headers, 'last-event-id': id! })).rest()
    t.equal(again.length, 2, 'for anyone who asks later too')
  })

  await t.test('a question from one is answered through another', async (t) => {
    const [a, b, c] = await three(t)
    const headers = await session(c!.client, '2025-11-25', { elicitation: {}, sampling: {} })
    const asked = await a!.client.post({ id: 5, method: 'tools/call', params: { name: 'test_elicitation', arguments: { message: 'Well?' } } }, headers)
    const question = (await asked.message())!
    t.equal(question.method, 'elicitation/create')
    const answer = await b!.client.post({ id: question.id, result: { action: 'accept', content: { username: 'ada', email: 'a@example.com' } } }, headers)
    t.equal(answer.status, 202)
    t.match(await asked.message(), { id: 5, result: { content: [{ text: /ada/ }] } })
  })

  await t.test('answers to what no one asked, and too large ones, reach no other replica', async (t) => {
    const connection = await valkey(t)
    const mark = randomUUID()
    const shared = async () =>
      JSON.stringify(await connection.ask((commands) => commands.xrange('exploration-mcp:bus', '-', '+'))).split(mark).length - 1
    const [a, b] = await three(t)
    const headers = await session(a!.client, '2025-11-25', { elicitation: {} })
    const send = async (id: string | number, filler: string) => {
      const reply = await b!.client.post({ id, result: { action: 'accept', content: { username: mark, email: filler } } }, headers)
      await reply.rest()
      return reply.status
    }
    const call = (id: number) =>
      a!.client.post({ id, method: 'tools/call', params: { name: 'test_elicitation', arguments: { message: 'Well?' } } }, headers)
    const asked = await call(5)
    const { id } = (await asked.message())!
    for (const unasked of [randomUUID(), 7, `${id} `]) t.equal(await send(unasked, 'x'.repeat(60_000)), 202)
    t.equal(await send(id!, 'x'.repeat(70_000)), 413)
    t.equal(await shared(), 0)
    t.equal(await send(id!, 'x'.repeat(60_000)), 202)
    t.match(await asked.message(), { id: 5, result: { content: [{ text: /xxx/ }] } })
    t.equal(await send(id!, 'x'.repeat(60_000)), 202)
    t.equal(await shared(), 1, 'an answer that came is handed on once')
  })

  await t.test('a call on one is taken back through another', async (t) => {
    const { work, stopped } = halves()
    const [a, b] = await three(t, [work])
    const headers = await session(a!.client)
    const running = await a!.client.post(call('work', 'p'), headers)
    await running.message()
    t.equal((await b!.client.post({ method: 'notifications/cancelled', params: { requestId: 5 } }, headers)).status, 202)
    await until(() => stopped.length > 0)
  })

  await t.test('the newest stream of a session is the only one, wherever they are, and of those that come at once one is left', async (t) => {
    const [{ client }, ...others] = await three(t) as [Replica, Replica, Replica]
    const headers = await session(client)
    let over = 0
    const opened = await Promise.all([client, client, ...others.map((other) => other.client)].map((each) => each.get(headers)))
    const ended = opened.map((stream) => stream.rest().finally(() => { over++ }))
    await until(() => over === 3)
    await (await client.get(headers)).next()
    await Promise.all(ended)
  })

  await t.test('a task is seen, told, answered and cancelled through any', async (t) => {
    const endless = tool('endless', async function * (_input: unknown, { signal }: RequestContext): AsyncGenerator<HandlerEvent, ToolResult, unknown> {
      yield { kind: 'task' }
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      return DONE
    })
    const [a, b, c] = await three(t, [endless])
    const able = meta(
      { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } } }
    )
    const post = ({ client }: Replica, method: string, params: Record<string, unknown>) => {
      const name = params['taskId'] ?? params['name']
      return client.post({ id: method, method, params: { _meta: able, ...params } }, {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(typeof name === 'string' && { 'mcp-name': name })
      })
    }
    const send = async (replica: Replica, method: string, params: Record<string, unknown>): Promise<Message> =>
      (await (await post(replica, method, params)).message())!
    const start = async (name: string, args: object = {}) =>
      (await send(a!, 'tools/call', { name, arguments: args })).result!['taskId'] as string

    const taskId = await start('confirm_delete', { filename: 'a.txt' })
    const listening = await post(c!, 'subscriptions/listen', { notifications: { taskIds: [taskId] } })
    await listening.message()
    await until(async () => (await send(b!, 'tasks/get', { taskId })).result?.['status'] === 'input_required')
    await send(b!, 'tasks/update', {
      taskId, inputResponses: { confirm: { action: 'accept', content: { confirm: true } } }
    })
    let told: Message | undefined
    do told = await listening.message(); while (told && told.params?.['status'] !== 'completed')
    t.match(told?.params, { taskId, result: { content: [{ text: 'Deleted a.txt.' }] } })

    const other = await start('endless')
    await send(c!, 'tasks/cancel', { taskId: other })
    await until(async () => (await send(b!, 'tasks/get', { taskId: other })).result?.['status'] === 'cancelled')
  })
})
