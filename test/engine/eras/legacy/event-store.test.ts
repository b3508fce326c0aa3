// Bounds of an event log, in memory and in Valkey, and what it does while Valkey is away. That clients get the rest of a stream:
// test/engine/http/resume.test.ts, and from other replicas test/cluster/replicas-protocol.test.ts.
import { randomUUID } from 'node:crypto'
import t from 'tap'
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

t.test('memory: a caller pushes out its own streams, and all together the oldest, also with text that is longer in bytes', async (t) => {
  const eventStore = memoryEventStore({ bytes: 12_000, bytesPerHolder: 4000 })
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
  for (const caller of ['second', 'third', 'fourth']) {
    await eventStore.open(caller, 'session', 'lost', caller)
    await eventStore.append(caller, 'x'.repeat(3400))
  }
  t.same([await kept('quiet', 'mine'), await kept('second', 'session'), await kept('fourth', 'session')], [false, true, true], 'the oldest go, and no more than has to')
})

t.test('Valkey', { skip: VALKEY === undefined && 'no TEST_VALKEY_URL' }, async (t) => {
  const stream = () => `c-${randomUUID()}`
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
