// Questions to legacy clients whose stream ends before anybody waits for the answers.
import t from 'tap'
import { localBus } from '../../../../src/mcp/event-bus.js'
import { questions } from '../../../../src/mcp/eras/legacy/server-requests.js'

const step = { kind: 'input' as const, requests: { one: { method: 'roots/list' as const, params: {} }, two: { method: 'roots/list' as const, params: {} } } }

t.test('a stream that ends between question and answer ends no process', async (t) => {
  const unhandled: unknown[] = []
  const listener = (reason: unknown): void => { unhandled.push(reason) }
  process.on('unhandledRejection', listener)
  t.teardown(() => process.off('unhandledRejection', listener))
  const gone = new AbortController()
  const asked = questions(localBus()).ask('session', step, gone.signal)
  if (asked.kind !== 'asking') throw new Error('it asks')
  t.equal(asked.frames.length, 2)
  gone.abort()
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  t.same(unhandled, [])
  await t.rejects(asked.answers, /went away/, 'whoever waits for the answers later hears of it')
})

t.test('what nobody asked is told to nobody else', async (t) => {
  const bus = localBus()
  const told: unknown[] = []
  const asking = questions(bus)
  bus.subscribe('answered', (signal) => { told.push(signal) })
  await asking.answer('session', { kind: 'response', id: 'unasked', result: { roots: [] }, error: undefined })
  t.same(told, [])
})
