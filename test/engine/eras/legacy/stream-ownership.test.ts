// Who has a stream, when several connections want it: the newest, and of those that come at once exactly one.
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { memoryEventBus, type EventBus } from '../../../../src/engine/event-bus.js'
import { onTakeover, claimStream } from '../../../../src/engine/eras/legacy/stream-ownership.js'
import { until } from '../../../helpers/until.js'
import { replicaLog, VALKEY } from '../../../helpers/valkey.js'

const promises = (name: string, open: (t: Test) => Promise<EventBus[]>) => async (t: Test) => {
  const buses = await open(t)
  const stream = randomUUID()
  const lost = new Set<string>()
  let heard = 0
  buses.forEach((bus) => bus.subscribe('streamClaimed', (taken) => { if (taken.stream === stream) heard++ }))
  const listener = (at: number): string => {
    const by = `${at} ${randomUUID()}`
    onTakeover(buses[at]!, stream, by, () => lost.add(by))
    return by
  }
  const all = Array.from({ length: 9 }, (_, n) => listener(n % buses.length))
  for (const by of all) claimStream(buses[Number(by[0])]!, stream, by)
  await until(() => heard === all.length * buses.length)
  t.equal(lost.size, all.length - 1, name)
  const last = listener(0)
  claimStream(buses[0]!, stream, last)
  await until(() => lost.size === all.length)
  t.notOk(lost.has(last), 'the newest')
}

t.test('in one process', promises('one is left', async () => [memoryEventBus()]))
t.test('on several replicas', { skip: VALKEY === undefined && 'no TEST_VALKEY_URL' }, promises('one is left', async (t) => {
  const logs = [await replicaLog(t), await replicaLog(t), await replicaLog(t)]
  return logs.map(({ bus }) => bus)
}))
