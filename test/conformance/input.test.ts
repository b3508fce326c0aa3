// One tool, written once, asks: over several requests in the modern era, over the open stream in the legacy one.
import t from 'tap'
import { requestStateCodec } from '../../src/engine/eras/modern/request-state.js'
import { Fault } from '../../src/lib/errors.js'
import type { Request } from '../../src/engine/jsonrpc/message.js'
import { able, modern } from '../helpers/build.js'
import { session } from '../helpers/wire.js'
import { served } from './served.js'
import { meets } from './requirements.js'

const ABLE = { elicitation: {}, sampling: {}, roots: {} }
const accept = (content: Record<string, unknown>) => ({ action: 'accept', content })

t.test('modern: the request comes back with the answers and its sealed state', async (t) => {
  meets('mrtr-only', 'no-requests-out', 'mrtr-something', 'mrtr-extra', 'mrtr-again', 'mrtr-capable', 'capability-missing', 'capabilities-kept',
    'mrtr-state-protected')
  const { app } = await served(t)
  const call = async (name: string, round: Record<string, unknown> = {}, capabilities: object = ABLE) =>
    (await modern(app, 'any', 'tools/call', { name, ...round, _meta: able(capabilities) })).body

  const first = await call('test_input_required_result_multi_round')
  t.match(first.result, {
    resultType: 'input_required', inputRequests: { step1: { method: 'elicitation/create' } }, requestState: String
  })
  const { requestState } = first.result
  const second = await call('test_input_required_result_multi_round', {
    requestState, inputResponses: { step1: accept({ name: 'Ada' }), extra: 1 }
  })
  t.match(second.result, { resultType: 'input_required', inputRequests: { step2: { method: 'elicitation/create' } } })
  t.notOk('step1' in second.result.inputRequests)
  const last = await call('test_input_required_result_multi_round',
    { requestState: second.result['requestState'], inputResponses: { step2: accept({ color: 'red' }) } })
  t.match(last.result, { resultType: 'complete', content: [{ text: /Ada.*red/ }] })

  for (const step1 of [undefined, null, 5, 'Ada', {}, { action: 'accept' }, { action: 'maybe' }]) {
    t.match(
      await call('test_input_required_result_multi_round', { requestState, inputResponses: { step1 } }),
      { result: { inputRequests: { step1: {} } } }
    )
  }
  const state = requestState as string
  for (const altered of ['', 'x', 5, state.slice(0, -4) + 'AAAA', 'AAAA' + state.slice(4), state.slice(2)]) {
    t.equal((await call('test_input_required_result_multi_round', { requestState: altered })).error.code, -32602)
  }
  t.equal((await call('test_input_required_result_elicitation', { requestState })).error.code, -32602, 'the state of another request')
  t.match((await call('test_missing_capability', {}, { roots: {} })).error, {
    code: -32021, data: { requiredCapabilities: { sampling: {} } }
  })
})

t.test('a state belongs to its caller and request, and ends', async (t) => {
  meets('mrtr-state-bound', 'state-by-handle')
  let now = 1_000_000
  const states = requestStateCodec(['a secret'], () => now)
  const request: Request = {
    kind: 'request', id: 1, method: 'tools/call', params: { name: 'x', arguments: { a: 1, b: 2 } }
  }
  const sealed = states.seal([{ k: { action: 'decline' } }], request, 'me')
  const reordered: Request = {
    ...request, id: 2, params: { arguments: { b: 2, a: 1 }, name: 'x', requestState: sealed, _meta: { other: 1 } }
  }
  t.strictSame(states.open(sealed, reordered, 'me'), [{ k: { action: 'decline' } }])
  t.throws(() => states.open(sealed, request, 'you'), Fault)
  t.throws(() => states.open(sealed, { ...request, params: { name: 'x', arguments: { a: 1, b: 3 } } }, 'me'), Fault)
  t.throws(() => requestStateCodec(['another secret']).open(sealed, request, 'me'), Fault)
  t.strictSame(
    requestStateCodec(['another secret', 'a secret'], () => now).open(sealed, request, 'me'),
    [{ k: { action: 'decline' } }],
    'the one before'
  )
  const next = requestStateCodec(['another secret', 'a secret'], () => now).seal([], request, 'me')
  t.throws(() => states.open(next, request, 'me'), Fault, 'sealed with the new one')
  t.notMatch(Buffer.from(sealed, 'base64url').toString('latin1'), 'decline', 'what was answered is not readable')
  now += 3_600_000
  t.throws(() => states.open(sealed, request, 'me'), Fault)
})

t.test('legacy: the question goes out on the stream, the answer comes in by another request of the session', async (t) => {
  meets('question-relates', 'question-capable', 'question-own-answer', 'question-refused')
  const { client } = await served(t)
  const [headers, stranger] = [await session(client, '2025-11-25', ABLE), await session(client, '2025-11-25', ABLE)]
  const ask = { id: 5, method: 'tools/call', params: { name: 'test_elicitation', arguments: { message: 'Who?' } } }
  const answer = async (id: unknown, response: object, by = headers) => (await client.post({ id, ...response }, by)).status

  const stream = await client.post(ask, headers)
  const question = await stream.message()
  t.match(question, { method: 'elicitation/create', id: String, params: { message: 'Who?' } })
  t.equal(await answer(question!.id, { result: accept({ username: 'mallory' }) }, stranger), 202, 'another session is not heard')
  t.equal(await answer(question!.id, { result: accept({ username: 'ada' }) }), 202)
  t.match(await stream.message(), { id: 5, result: { content: [{ text: /ada/ }] } })
  t.same(await stream.rest(), [])

  const refused = await client.post(ask, headers)
  await answer((await refused.message())!.id, { error: { code: -1, message: 'no' } })
  t.match(await refused.message(), { id: 5, result: { isError: true } })

  const left = await client.post(ask, headers)
  await left.message()
  await (await client.post({ method: 'notifications/cancelled', params: { requestId: 5 } }, headers)).rest()
  t.same(await left.rest(), [], 'what was asked for a call that was taken back ends no process')

  const unable = await client.post(ask, await session(client, '2025-11-25', {}))
  t.match((await unable.message())?.error, { code: -32602, data: { requiredCapabilities: { elicitation: {} } } })
})
