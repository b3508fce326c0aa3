// What an event log promises, in memory and in Valkey, there through two connections as two replicas have them.
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import {
  memoryEventStore, STREAM_LIMITS, type EventStore, type StoredEvent
} from '../../../../src/engine/eras/legacy/event-store.js'
import { eventWriter, keysOf } from '../../../../src/cluster/valkey-event-writer.js'
import { tcpProxy } from '../../../helpers/tcp-proxy.js'
import { until } from '../../../helpers/until.js'
import { replicaLog, VALKEY } from '../../../helpers/valkey.js'

const OWNER = JSON.stringify({ session: 'mine', replica: 'here', ifLost: 'lost' })

const signal = () => AbortSignal.timeout(120_000)
const follow = async (eventStore: EventStore, name: string, after = 0) => eventStore.follow(name, 'mine', after, signal())
const all = async (events: AsyncIterable<StoredEvent> | undefined): Promise<StoredEvent[]> => {
  const told: StoredEvent[] = []
  for await (const event of events ?? []) told.push(event)
  return told
}

const promises = (name: string, open: (t: Test) => Promise<[EventStore, EventStore]>) => t.test(name, async (t) => {
  t.test('what was said is followed elsewhere from any place, until the end', async (t) => {
    const [here, there] = await open(t)
    const stream = `c-${randomUUID()}`
    await here.open(stream, 'mine', 'lost')
    t.equal(await here.append(stream, 'one'), 1)
    t.equal(await here.append(stream, 'two'), 2)
    const following = all(await there.follow(stream, 'mine', 1, signal()))
    t.equal(await here.append(stream, 'three'), 3)
    await here.end(stream)
    t.same(await following, [{ number: 2, data: 'two' }, { number: 3, data: 'three' }])
    t.same((await all(await there.follow(stream, 'mine', 0, signal()))).length, 3, 'also after the end')
    t.same(await all(await there.follow(stream, 'mine', 3, signal())), [], 'nothing is left')
  })

  t.test('another session, an unknown stream and a place that is not there yet get nothing', async (t) => {
    const [here, there] = await open(t)
    const stream = `c-${randomUUID()}`
    await here.open(stream, 'mine', 'lost')
    await here.append(stream, 'one')
    t.equal(await there.follow(stream, 'theirs', 0, signal()), undefined)
    t.equal(await there.follow(`c-${randomUUID()}`, 'mine', 0, signal()), undefined)
    t.equal(await there.follow(stream, 'mine', 2, signal()), undefined)
  })

  t.test('a follower that goes away ends', async (t) => {
    const [here, there] = await open(t)
    const stream = `c-${randomUUID()}`
    await here.open(stream, 'mine', 'lost')
    const gone = new AbortController()
    const following = all(await there.follow(stream, 'mine', 0, gone.signal))
    gone.abort()
    t.same(await following, [])
  })
})

promises('memory', async () => {
  const eventStore = memoryEventStore()
  return [eventStore, eventStore]
})
t.test('memory: what all streams hold is bounded, the oldest goes', async (t) => {
  const eventStore = memoryEventStore({ bytes: 2000, bytesPerHolder: 2000 })
  for (const name of ['old', 'young']) {
    await eventStore.open(name, 'mine', 'lost')
    await eventStore.append(name, 'x'.repeat(600))
  }
  const { signal } = new AbortController()
  t.equal(await eventStore.follow('old', 'mine', 0, signal), undefined)
  t.ok(await eventStore.follow('young', 'mine', 0, signal))
})

t.test('memory: a caller pushes out its own streams only, also with text that is longer in bytes', async (t) => {
  const eventStore = memoryEventStore({ bytes: 20_000, bytesPerHolder: 4000 })
  const { signal } = new AbortController()
  const kept = async (name: string, session: string): Promise<boolean> =>
    await eventStore.follow(name, session, 0, signal) !== undefined
  await eventStore.open('quiet', 'mine', 'lost', 'quiet caller')
  await eventStore.append('quiet', 'said once')
  for (let n = 0; n < 30; n++) {
    // Of many sessions, and one credential.
    await eventStore.open(`loud ${n}`, `session ${n}`, 'lost', 'loud caller')
    await eventStore.append(`loud ${n}`, 'ü'.repeat(500))
  }
  t.ok(await kept('quiet', 'mine'))
  t.same(
    [await kept('loud 29', 'session 29'), await kept('loud 28', 'session 28'), await kept('loud 27', 'session 27')],
    [true, true, false]
  )
  await eventStore.open('huge', 'session', 'lost', 'loud caller')
  t.equal(await eventStore.append('huge', 'x'.repeat(5000)), 1)
  t.notOk(await kept('huge', 'session'), 'one that is larger than its share is not kept')
  t.ok(await kept('quiet', 'mine'))
})

t.test('Valkey', { skip: VALKEY === undefined && 'no TEST_VALKEY_URL' }, async (t) => {
  const stream = () => `c-${randomUUID()}`
  promises('Valkey, as in memory', async (t) => [(await replicaLog(t)).log, (await replicaLog(t)).log])

  await t.test('the replica is gone: what it said, then that it is gone', async (t) => {
    const [here, there] = [await replicaLog(t), await replicaLog(t)]
    const name = stream()
    await here.log.open(name, 'mine', 'lost')
    await here.log.append(name, 'one')
    const following = all(await follow(there.log, name))
    here.die()
    t.same(await following, [{ number: 1, data: 'one' }, { number: 2, data: 'lost' }])
    t.same(await all(await follow(there.log, name, 1)), [{ number: 2, data: 'lost' }], 'for anyone who comes later too')
    await here.log.append(name, 'from the grave')
    t.equal((await all(await follow(there.log, name))).length, 2)
  })

  await t.test('a replica that is silent, but there, is waited for', async (t) => {
    const [here, there] = [await replicaLog(t), await replicaLog(t)]
    const name = stream()
    await here.log.open(name, 'mine', 'lost')
    const following = all(await follow(there.log, name))
    await new Promise((resolve) => setTimeout(resolve, 500))
    await here.log.append(name, 'late')
    await here.log.end(name)
    t.same(await following, [{ number: 1, data: 'late' }])
  })

  await t.test('what was said while Valkey was away is there when it is back, under the same numbers', async (t) => {
    const proxy = await tcpProxy(t, VALKEY!)
    const [here, there] = [await replicaLog(t, proxy.url), await replicaLog(t)]
    const [old, young] = [stream(), stream()]
    await here.log.open(old, 'mine', 'lost')
    await here.log.append(old, 'one')
    await proxy.refuse()
    t.equal(await here.log.append(old, 'two'), 2)
    await here.log.open(young, 'mine', 'lost')
    t.equal(await here.log.append(young, 'first'), 1)
    await t.rejects(follow(here.log, old), { kind: 'unavailable' } as never)
    await here.log.end(old)
    await proxy.restore()
    t.equal(await here.log.append(young, 'second'), 2)
    await here.log.end(young)
    await until(async () => await follow(there.log, young, 2) !== undefined)
    t.same(await all(await follow(there.log, young)), [{ number: 1, data: 'first' }, { number: 2, data: 'second' }])
    t.same(await all(await follow(there.log, old)), [{ number: 1, data: 'one' }, { number: 2, data: 'two' }])
  })

  await t.test('what the streams of a replica, and of a caller, hold is bounded in bytes: the oldest of them goes', async (t) => {
    const { connection, bus, log: eventStore } = await replicaLog(t)
    for (const bytes of [2000, 20_000]) {
      const writer = eventWriter(connection, bus, { ...STREAM_LIMITS, bytes, bytesPerHolder: 2000 })
      const [quiet, old, young] = [stream(), stream(), stream()]
      for (const [name, holder] of [[quiet, 'quiet caller'], [old, 'loud caller'], [young, 'loud caller']] as const) {
        await writer.open(name, OWNER, holder)
        await writer.append(name, 'x'.repeat(600))
      }
      await until(async () => await connection.ask((commands) => commands.exists(...keysOf(old))) === 0)
      t.equal(await writer.append(old, 'more'), 0, 'nor is more of it kept')
      t.ok(await follow(eventStore, young))
      t.equal(await follow(eventStore, quiet) !== undefined, bytes === 20_000, 'a caller pushes out its own only')
    }
  })

  await t.test('also in this process, while Valkey is away', async (t) => {
    const proxy = await tcpProxy(t, VALKEY!)
    const { connection, bus } = await replicaLog(t, proxy.url)
    const writer = eventWriter(connection, bus, { ...STREAM_LIMITS, bytes: 2000, bytesPerHolder: 2000 })
    const [old, young] = [stream(), stream()]
    await proxy.refuse()
    for (const name of [old, young]) {
      await writer.open(name, OWNER)
      t.equal(await writer.append(name, 'x'.repeat(600)), 1)
    }
    t.equal(await writer.append(old, 'more'), 0)
    t.equal(await writer.append(young, 'more'), 2)
  })

  await t.test('Valkey was emptied: the client is told to send again', async (t) => {
    const { log: eventStore, connection } = await replicaLog(t)
    const name = stream()
    await eventStore.open(name, 'mine', 'lost')
    await eventStore.append(name, 'one')
    await connection.ask((commands) => commands.del(...keysOf(name)))
    t.equal(await eventStore.append(name, 'two'), 2)
    t.equal(await follow(eventStore, name, 1), undefined)
  })
})
