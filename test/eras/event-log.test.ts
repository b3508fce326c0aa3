// What an event log promises, in memory and in Valkey, there through two connections as two replicas have them.
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { memoryEventLog, type EventLog, type LoggedEvent } from '../../src/eras/legacy/event-log.js'
import { valkeyEventLog } from '../../src/eras/legacy/valkey-event-log.js'
import { VALKEY, valkey } from '../helpers/valkey.js'

const promises = (name: string, open: (t: Test) => Promise<[EventLog, EventLog]>) => t.test(name, async (t) => {
  const signal = () => AbortSignal.timeout(10_000)
  const all = async (events: AsyncIterable<LoggedEvent> | undefined): Promise<LoggedEvent[]> => {
    const told: LoggedEvent[] = []
    for await (const event of events ?? []) told.push(event)
    return told
  }

  t.test('what was said is followed elsewhere from any place, until the end', async (t) => {
    const [here, there] = await open(t)
    const stream = `c-${randomUUID()}`
    await here.open(stream, 'mine')
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
    await here.open(stream, 'mine')
    await here.append(stream, 'one')
    t.equal(await there.follow(stream, 'theirs', 0, signal()), undefined)
    t.equal(await there.follow(`c-${randomUUID()}`, 'mine', 0, signal()), undefined)
    t.equal(await there.follow(stream, 'mine', 2, signal()), undefined)
  })

  t.test('a follower that goes away ends', async (t) => {
    const [here, there] = await open(t)
    const stream = `c-${randomUUID()}`
    await here.open(stream, 'mine')
    const gone = new AbortController()
    const following = all(await there.follow(stream, 'mine', 0, gone.signal))
    gone.abort()
    t.same(await following, [])
  })
})

promises('memory', async () => {
  const log = memoryEventLog()
  return [log, log]
})
if (VALKEY !== undefined) {
  const url = VALKEY
  promises('Valkey', async (t) => [valkeyEventLog(await valkey(t, url)), valkeyEventLog(await valkey(t, url))])
}
