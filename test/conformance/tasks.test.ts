// Tasks over the wire, beyond what the official suite looks at.
import { memoryTaskStore, type TaskStore } from 'exploration-mcp/engine'
import t from 'tap'
import { progress } from '../../src/engine/request-context.js'
import { gate, tool } from '../engine/serve.js'
import { able, meta } from '../helpers/build.js'
import { session, type Message } from '../helpers/wire.js'
import { served } from './served.js'
import { meets } from './requirements.js'

const TASKS = 'io.modelcontextprotocol/tasks'
const ABLE = able({ elicitation: {}, extensions: { [TASKS]: {} } })

t.test('tasks', async (t) => {
  const { open: told, opened: stopped } = gate()
  const endless = tool('endless', async function * (_input, { signal }) {
    yield { kind: 'task' }
    yield progress(1, 2, 'half way')
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    told()
    return { content: [] }
  })
  const { client } = await served(t, { tools: [endless] })
  const send = async (method: string, params: Record<string, unknown>): Promise<Message> =>
    (await (await client.modern(method, { _meta: ABLE, ...params })).message())!
  const start = async (name: string, args: object = {}) =>
    (await send('tools/call', { name, arguments: args })).result!['taskId'] as string

  const reach = async (taskId: string, status: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const task = (await send('tasks/get', { taskId })).result!
      if (task['status'] === status) return task
    }
  }

  await t.test('ids and answers that no store can hold are refused as the mistake of the client', async (t) => {
    for (const bad of ['a\0b', '\ud800', '\udc00x']) {
      for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
        // A lone surrogate is lost in a header, so that the refusal may be that the two differ.
        const { error } = await send(method, { taskId: bad, inputResponses: {} })
        t.ok(error?.code === -32602 || error?.code === -32020, `${method} ${error?.code}`)
      }
      for (const inputResponses of [{ [bad]: {} }, { a: { action: 'accept', content: { x: bad } } }, { a: [{ [bad]: 1 }] }]) {
        t.match(await send('tasks/update', { taskId: 'x', inputResponses }), { error: { code: -32602 } })
      }
      t.match(await send('subscriptions/listen', { notifications: { taskIds: [bad] } }), { error: { code: -32602 } })
    }
  })

  await t.test('a task is there at once, for its owner alone, and cancelling reaches the work', async (t) => {
    meets('task-durable', 'task-cancelled')
    const taskId = await start('endless')
    t.match(await send('tasks/get', { taskId }), { result: { status: 'working', taskId } })
    t.match(await send('tasks/cancel', { taskId }), { result: { resultType: 'complete' } })
    await stopped
    const listened = await send('tasks/get', { taskId })
    t.match(listened.result?.['status'], /^(cancelled|working)$/)
  })

  await t.test('each change is told to who listens', async (t) => {
    meets('task-notified')
    const taskId = await start('confirm_delete', { filename: 'a.txt' })
    const listening = await client.modern('subscriptions/listen', { _meta: ABLE, notifications: { taskIds: [taskId, 'unknown'] } }, 'l')
    t.match(await listening.message(), { params: { notifications: { taskIds: [taskId] } } })
    await send('tasks/update', {
      taskId, inputResponses: { confirm: { action: 'accept', content: { confirm: true } }, other: 1 }
    })
    const statuses: unknown[] = []
    for (;;) {
      const { method, params } = (await listening.message())!
      t.equal(method, 'notifications/tasks')
      t.match(params, { taskId, _meta: { 'io.modelcontextprotocol/subscriptionId': 'l' } })
      statuses.push(params!['status'])
      if (params!['status'] === 'completed') {
        t.match(params!['result'], { content: [{ text: 'Deleted a.txt.' }] })
        break
      }
    }
    t.notOk(statuses.includes('failed'))
    listening.close()
  })

  await t.test('some of several answers are taken, others left out', async (t) => {
    meets('task-answers')
    const taskId = await start('multi_input')
    const asked = async () => Object.keys((await reach(taskId, 'input_required'))['inputRequests'] as object)
    t.same(await asked(), ['first', 'second'])
    await send('tasks/update', {
      taskId, inputResponses: { first: { action: 'accept', content: { name: 'Ada' } }, other: 1 }
    })
    t.same(await asked(), ['second'])
    await send('tasks/update', { taskId, inputResponses: { second: { action: 'accept', content: { confirm: true } } } })
    t.match(await reach(taskId, 'completed'), { result: { content: [{ text: /Ada.*true/ }] } })
  })

  await t.test('an answer that is none fails the question, not the server', async (t) => {
    const taskId = await start('confirm_delete', { filename: 'b.txt' })
    await reach(taskId, 'input_required')
    await send('tasks/update', { taskId, inputResponses: { confirm: 'yes' } })
    t.match(await reach(taskId, 'completed'), { result: { isError: true } })
  })

  await t.test('a credential has at most 32 tasks under way', async (t) => {
    const replies = []
    for (let n = 0; n < 33; n++) replies.push(await send('tools/call', { name: 'endless', arguments: {} }))
    t.match(replies.at(-1), { error: { code: 429, data: { scope: 'tasks', limit: 32 } } })
  })

  await t.test('refusals', async (t) => {
    meets('extension-fallback', 'task-undeclared', 'task-unknown')
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      t.match((await send(method, { taskId: 'unknown', inputResponses: {} })).error, { code: -32602 })
      t.match((await send(method, { inputResponses: {} })).error, { code: -32602 })
      t.match((await send(method, { taskId: 'unknown', inputResponses: {}, _meta: meta() })).error,
        { code: -32021, data: { requiredCapabilities: { extensions: { [TASKS]: {} } } } })
    }
    t.match((await send('tasks/update', { taskId: 'unknown', inputResponses: [] })).error, { code: -32602 })
    t.match((await send('subscriptions/listen', { notifications: { taskIds: ['x'] }, _meta: meta() })).error, { code: -32021 })
    const headers = await session(client)
    t.match(
      (await (await client.post({ id: 1, method: 'tasks/get', params: { taskId: 'x' } }, headers)).message())?.error,
      { code: -32601 }
    )
    const plain = await client.post({ id: 1, method: 'tools/call', params: { name: 'slow_compute', arguments: { seconds: 0 } } }, headers)
    t.match((await plain.message())?.result, { content: [{ text: /Computed/ }] }, 'the legacy era waits')
  })
})

t.test('a change just after the acknowledgement is told', async (t) => {
  meets('task-notified')
  const inner = memoryTaskStore()
  let reads = -1
  const store: TaskStore = {
    ...inner,
    async get (id, owner) {
      // The first read of the listening finds the task; it changes before the next one.
      if (reads >= 0 && ++reads === 2) await inner.note(id, 'half way')
      return await inner.get(id, owner)
    }
  }
  const { client } = await served(t, { shared: { tasks: store } })
  const started = await client.modern('tools/call', { _meta: ABLE, name: 'slow_compute', arguments: { seconds: 60 } })
  const { taskId } = (await started.message())!.result!
  reads = 0
  const listening = await client.modern('subscriptions/listen', { _meta: ABLE, notifications: { taskIds: [taskId] } })
  t.match(await listening.message(), { params: { notifications: { taskIds: [taskId] } } })
  t.match(await listening.message(), { method: 'notifications/tasks', params: { taskId, statusMessage: 'half way' } })
  listening.close()
})
