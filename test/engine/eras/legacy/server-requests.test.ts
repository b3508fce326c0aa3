// Questions to legacy clients whose stream ends before anybody waits for the answers.
import t from 'tap'
import { memoryEventBus } from '../../../../src/engine/event-bus.js'
import { serverRequests } from '../../../../src/engine/eras/legacy/server-requests.js'

const step = {
  kind: 'input' as const,
  requests: { one: { method: 'roots/list' as const, params: {} }, two: { method: 'roots/list' as const, params: {} } }
}

t.test('a stream that ends between question and answer ends no process', async (t) => {
  const unhandled: unknown[] = []
  const listener = (reason: unknown): void => { unhandled.push(reason) }
  process.on('unhandledRejection', listener)
  t.teardown(() => process.off('unhandledRejection', listener))
  const gone = new AbortController()
  const asked = serverRequests(memoryEventBus()).send('session', step, gone.signal)
  if (asked.kind !== 'asking') throw new Error('it asks')
  t.equal(asked.frames.length, 2)
  gone.abort()
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  t.same(unhandled, [])
  await t.rejects(asked.responses, /disconnected/, 'anyone who waits for the answers later hears of it')
})

t.test('what no one asked is told to no one else', async (t) => {
  const bus = memoryEventBus()
  const told: unknown[] = []
  const asking = serverRequests(bus)
  bus.subscribe('clientResponded', (signal) => { told.push(signal) })
  await asking.resolve('session', { kind: 'response', id: 'unasked', result: { roots: [] }, error: undefined })
  t.same(told, [])
})
