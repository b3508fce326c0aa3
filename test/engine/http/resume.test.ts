// Lost connections, calls that are taken back, and what a client hears before a result: on the engine alone.
// @no-services: the engine alone
import t from 'tap'
import { progress, type RequestContext, type HandlerEvent } from '../../../src/engine/request-context.js'
import type { ToolResult } from '../../../src/engine/tools/tool.js'
import { served } from '../../conformance/served.js'
import { meta } from '../../helpers/build.js'
import { session, type Stream } from '../../helpers/wire.js'
import { meets } from '../../conformance/requirements.js'
import { gate, tool } from '../serve.js'

const DONE: ToolResult = { content: [{ type: 'text', text: 'Done.' }] }

const call = (name: string, token?: string) =>
  ({ id: 5, method: 'tools/call', params: { name, ...(token !== undefined && { _meta: { progressToken: token } }) } })

let half = gate()
const work = tool('work', async function * () {
  yield progress(1, 3)
  yield progress(2, 3)
  await half.opened
  yield progress(3, 3)
  return DONE
})
const talks = tool('talks', async function * () {
  for (const level of ['debug', 'info', 'error'] as const) yield { kind: 'log', level, data: level, logger: 'talks' } as const
  return DONE
})
const { client } = await served(t, { tools: [work, talks] })

t.test('the result of a call that lets its connection go waits for the client', async (t) => {
  meets('primed', 'retry-told', 'response-eventually', 'event-id-names-stream', 'replay-own-stream')
  const headers = await session(client)
  const events = await (await client.post(call('test_reconnection'), headers)).rest()
  t.match(events, [{ id: /^c-/, data: '' }, { retry: 500 }], 'an id to come back with, and when to')
  t.equal(events.length, 2)
  const lastId = events[0]!.id!
  const again = await client.get({ ...headers, 'last-event-id': lastId })
  t.match(await again.rest(), [{
    id: /^c-.*:1$/, message: { id: 5, result: { content: [{ text: 'You came back.' }] } }
  }])
  t.match(await (await client.get({ ...headers, 'last-event-id': lastId })).rest(), [{ message: { id: 5 } }], 'more than once')

  t.equal((await client.get({ ...await session(client), 'last-event-id': lastId })).status, 400, 'not to another session')
  t.equal((await client.get({ ...headers, 'last-event-id': 'c-unknown:0' })).status, 400)
  for (const place of ['9', '0.5', '-1', '0x1', '1e0', '+1', ' 1', '00000000000000001', '9007199254740993', '1_0', 'NaN', 'Infinity', '']) {
    const reply = await client.get({ ...headers, 'last-event-id': lastId.replace(/:0$/, `:${place}`) })
    t.equal(reply.status, 400, place)
    reply.close()
  }
})

t.test('before 2025-11-25 a stream stays open until its response', async (t) => {
  meets('response-eventually')
  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18']) {
    const stream = await client.post(call('test_reconnection'), await session(client, version))
    t.match(await stream.rest(), [{ message: { id: 5, result: { content: [{ text: 'You came back.' }] } } }], version)
  }
})

t.test('a connection that is lost in the middle: the rest comes by GET, nothing twice', async (t) => {
  meets('disconnect-is-no-cancel', 'event-id-unique')
  for (const version of ['2025-03-26', '2025-06-18', '2025-11-25']) {
    half = gate()
    const headers = await session(client, version)
    const lost = await client.post(call('work', 'p'), headers)
    if (version === '2025-11-25') t.match((await lost.next()).value, { data: '' })
    const first = (await lost.next()).value!
    t.match(first, { id: String, message: { params: { progress: 1 } } }, version)
    lost.close()
    const back = await client.get({ ...headers, 'last-event-id': first.id! })
    t.match((await back.next()).value!.message, { params: { progress: 2 } })
    half.open()
    t.match(await back.rest(), [{ message: { params: { progress: 3 } } }, { message: { id: 5, result: DONE } }])
  }
  const old = await client.post(call('work', 'p'), await session(client, '2024-11-05'))
  t.ok((await old.rest()).every(({ id }) => !id), 'a revision that cannot come back gets no ids')
})

t.test('a call that is taken back stops, and is not answered', async (t) => {
  const seen: string[] = []
  let stopped = gate()
  type Waiting = AsyncGenerator<HandlerEvent, ToolResult, unknown>
  const waiting = (name: string, say: boolean) => tool(name, async function * (_input: unknown, { signal }: RequestContext): Waiting {
    if (say) yield progress(1)
    seen.push('begun')
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    stopped.open()
    return DONE
  })
  const { client } = await served(t, { tools: [waiting('loud', true), waiting('quiet', false)] })

  await t.test('legacy: by a notification', async (t) => {
    meets('cancelled-stops', 'cancelled-ignored')
    const headers = await session(client)
    const cancel = async (requestId: unknown, to = headers) => {
      const reply = await client.post({ method: 'notifications/cancelled', params: { requestId, reason: 'enough' } }, to)
      await reply.rest()
      return reply
    }
    const running = await client.post(call('loud', 'p'), headers)
    t.match((await running.message())?.params, { progress: 1 })
    for (const [id, to] of [['5', headers], [6, headers], [null, headers], [5, await session(client)]] as const) t.equal((await cancel(id, to)).status, 202)
    t.equal((await cancel(5)).status, 202)
    await stopped.opened
    t.strictSame(await running.rest(), [], 'no response')

    stopped = gate()
    seen.length = 0
    const silent = client.post(call('quiet'), headers)
    while (seen.length === 0) await new Promise(setImmediate)
    await cancel(5)
    await stopped.opened
    const reply = await silent
    t.strictSame([reply.status, await reply.rest()], [202, []])
  })

  await t.test('modern: by going away', async (t) => {
    meets('disconnect-cancels')
    stopped = gate()
    const running = await client.modern('tools/call', { name: 'loud', _meta: meta({ progressToken: 1 }) })
    await running.message()
    running.close()
    await stopped.opened
    t.pass('the work was told')
  })
})

t.test('logs', async (t) => {
  meets('logging-declared', 'logging-level', 'logging-level-invalid', 'logging-asked')
  const headers = await session(client)
  const heard = async (stream: Promise<Stream>) => (await (await stream).rest()).flatMap(({ message }) => message?.params?.['level'] ?? [])
  const setLevel = async (level: unknown) =>
    (await client.post({ id: 9, method: 'logging/setLevel', params: { level } }, headers)).message()

  t.strictSame(await heard(client.post(call('talks'), headers)), ['info', 'error'], 'what the server thinks fit')
  t.strictSame((await setLevel('debug'))?.result, {})
  t.strictSame(await heard(client.post(call('talks'), headers)), ['debug', 'info', 'error'])
  t.strictSame((await setLevel('error'))?.result, {})
  t.strictSame(await heard(client.post(call('talks'), headers)), ['error'])
  t.strictSame(await heard(client.post(call('talks'), await session(client))), ['info', 'error'], 'another session has its own')
  for (const wrong of ['loud', 1, undefined]) t.equal((await setLevel(wrong))?.error?.code, -32602)

  t.strictSame(await heard(client.modern('tools/call', { name: 'talks' })), [], 'modern: only where asked for')
  t.strictSame(await heard(client.modern('tools/call',
    { name: 'talks', _meta: meta({ 'io.modelcontextprotocol/logLevel': 'info' }) })), ['info', 'error'])
  t.equal((await client.modern('logging/setLevel', { level: 'info' })).status, 404)
})

t.test('two connections that come back for one stream at once: one of them gets the rest, the other ends', async (t) => {
  half = gate()
  const headers = await session(client)
  const lost = await client.post(call('work', 'p'), headers)
  for (let event = 0; event < 2; event++) await lost.next()
  const { id } = (await lost.next()).value!
  lost.close()
  const back = await Promise.all([1, 2, 3].map(() => client.get({ ...headers, 'last-event-id': id! })))
  const all = back.map((stream) => stream.rest())
  await Promise.race(all)
  half.open()
  const told = await Promise.all(all)
  t.same(told.map((events) => events.length).sort(), [0, 0, 2])
  t.match(told.flat(), [{ message: { params: { progress: 3 } } }, { message: { id: 5, result: DONE } }])
})
