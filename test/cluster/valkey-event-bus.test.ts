// What a bus promises, in one process and between replicas.
import t, { type Test } from 'tap'
import { memoryEventBus, type EventBus } from '../../src/engine/event-bus.js'
import { valkeyEventBus } from '../../src/cluster/valkey-event-bus.js'
import { tcpProxy } from '../helpers/tcp-proxy.js'
import { until } from '../helpers/until.js'
import { VALKEY, valkey } from '../helpers/valkey.js'

const hearing = (bus: EventBus): string[] => {
  const heard: string[] = []
  bus.subscribe('task', ({ id }) => heard.push(id))
  return heard
}

const promises = (name: string, open: (t: Test) => Promise<[EventBus, EventBus]>) => t.test(name, async (t) => {
  const [here, there] = await open(t)
  const [heard, heardThere] = [hearing(here), hearing(there)]
  const others: unknown[] = []
  there.subscribe('cancelled', (signal) => others.push(signal))
  here.publish('task', { id: 'a' })
  t.same(heard, ['a'], 'here at once')
  await here.publishReliably('task', { id: 'b' })
  there.publish('task', { id: 'c' })
  await until(() => heardThere.length === 3 && heard.length === 3)
  t.same([...heard].sort(), ['a', 'b', 'c'], 'each once')
  t.same([...heardThere].sort(), ['a', 'b', 'c'])
  t.same(others, [], 'under its own name')
  const leave = there.subscribe('streamAppended', () => others.push('said'))
  leave()
  await here.publishReliably('streamAppended', { stream: 's' })
  await here.publishReliably('task', { id: 'd' })
  await until(() => heardThere.includes('d'))
  t.same(others, [], 'not after leaving')
})

promises('in one process', async () => {
  const bus = memoryEventBus()
  return [bus, bus]
})

t.test('between replicas', { skip: VALKEY === undefined && 'no TEST_VALKEY_URL' }, async (t) => {
  const open = async (t: Test, url?: string) => {
    const connection = await valkey(t, url)
    const bus = await valkeyEventBus(connection)
    t.teardown(() => bus.close())
    return { bus, connection }
  }
  promises('between replicas, as in one process', async (t) => [(await open(t)).bus, (await open(t)).bus])

  await t.test('what was said while the connection was lost is heard after it', async (t) => {
    const proxy = await tcpProxy(t, VALKEY!)
    const far = await open(t, proxy.url)
    const near = await open(t)
    const heard = hearing(far.bus)
    await proxy.refuse()
    await near.bus.publishReliably('task', { id: 'meanwhile' })
    await t.rejects(far.bus.publishReliably('task', { id: 'no one hears it' }), { kind: 'unavailable' } as never)
    far.bus.publish('task', { id: 'no word of it' })
    await proxy.restore()
    await until(() => heard.includes('meanwhile'))
    t.same(heard, ['no one hears it', 'no word of it', 'meanwhile'])
  })

  await t.test('Valkey was emptied: what is said afterwards is heard', async (t) => {
    const one = await open(t)
    const two = await open(t)
    const heard = hearing(two.bus)
    await one.bus.publishReliably('task', { id: 'before' })
    await until(() => heard.includes('before'))
    await one.connection.ask((commands) => commands.del('exploration-mcp:bus'))
    // Places are told apart by the millisecond.
    await new Promise((resolve) => setTimeout(resolve, 2))
    await one.bus.publishReliably('task', { id: 'after' })
    await until(() => heard.includes('after'))
  })

  await t.test('what is no signal is ignored', async (t) => {
    const one = await open(t)
    const two = await open(t)
    const heard = hearing(two.bus)
    for (const message of ['not JSON', '[]', '{"from":"x","topic":"constructor","signal":{}}', '{"from":"x","topic":"task","signal":null}']) {
      await one.connection.ask((commands) => commands.xadd('exploration-mcp:bus', '*', 'm', message))
    }
    await one.bus.publishReliably('task', { id: 'last' })
    await until(() => heard.length > 0)
    t.same(heard, ['last'])
  })
})
