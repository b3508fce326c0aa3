// What counts promise, in this process and in Valkey.
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { memoryRateLimitCounter, withLocalFallback, type Hit, type RateLimitCounter } from '../../../src/access/limits/rate-limit-counter.js'
import { valkeyRateLimitCounter } from '../../../src/cluster/valkey-rate-limit-counter.js'
import { tcpProxy } from '../../helpers/tcp-proxy.js'
import { until } from '../../helpers/until.js'
import { VALKEY, valkey } from '../../helpers/valkey.js'

const visit = (
  key: string, minute = 3, day = 5
) => ({ key, windows: [{ ms: 60_000, max: minute }, { ms: 86_400_000, max: day }] })
const numbers = async (counting: ReturnType<RateLimitCounter>) =>
  (await counting).map((windows) => windows.map(({ current }) => current))

const promises = (
  name: string, open: (t: Test) => Promise<[RateLimitCounter, RateLimitCounter]>
) => t.test(name, async (t) => {
  const [here, there] = await open(t)

  await t.test('both windows of each visit, in their order; the day is not eaten by what the minute refuses', async (t) => {
    const key = randomUUID()
    t.same(await numbers(here([visit(key), visit(key)])), [[1, 1], [2, 2]])
    t.same(await numbers(there([visit(key)])), [[3, 3]])
    t.same(await numbers(here([visit(key), visit(randomUUID())])), [[4, 3], [1, 1]], 'others are counted for themselves')
    t.same(await numbers(there([{ key, windows: [{ ms: 60_000, max: 3 }] }])), [[5]], 'one window alone')
  })

  await t.test('several hits at once count as if one came after the other', async (t) => {
    const key = randomUUID()
    t.same(await numbers(here([{ ...visit(key), times: 2 }])), [[2, 2]])
    t.same(await numbers(there([{ ...visit(key), times: 4 }, visit(key)])), [[6, 3], [7, 3]], 'the day counts the one that the minute allows')
    t.same(await numbers(here([{ ...visit(randomUUID(), 10, 2), times: 4 }])), [[4, 4]], 'beyond the day')
  })

  await t.test('a window begins with the first visit, and ends', async (t) => {
    const key = randomUUID()
    const short = [{ key, windows: [{ ms: 40, max: 1 }] }]
    const [[first]] = await here(short) as [[{ current: number, ttl: number }]]
    t.equal(first.current, 1)
    t.ok(first.ttl > 0 && first.ttl <= 40)
    await until(async () => (await here(short))[0]![0]!.current === 1)
  })

  await t.test('looking counts nothing and shows what others counted', async (t) => {
    const key = randomUUID()
    t.same(await here.peek([visit(key)]), [[{ current: 0, ttl: 0 }, { current: 0, ttl: 0 }]])
    await here([{ ...visit(key), times: 2 }])
    t.same(await numbers(there.peek([visit(key), visit(randomUUID())])), [[2, 2], [0, 0]])
    const [[minute]] = await there.peek([visit(key)]) as [[{ current: number, ttl: number }]]
    t.ok(minute.ttl > 0 && minute.ttl <= 60_000)
    t.same(await numbers(here([visit(key)])), [[3, 3]])
    t.same(await here.peek([]), [])
  })

  await t.test('nothing is lost where many count at once', async (t) => {
    const key = randomUUID()
    const counted = await Promise.all(Array.from({ length: 300 }, (_, n) => (n % 2 === 0 ? here : there)([visit(key, 120, 1000)])))
    t.equal(counted.filter(([windows]) => windows![0]!.current <= 120).length, 120)
    t.equal(Math.max(...counted.map(([windows]) => windows![1]!.current)), 120)
  })
})

promises('in this process', async () => {
  const counts = memoryRateLimitCounter()
  return [counts, counts]
})

t.test('in this process: bounded, and what counts nothing any more goes first', async (t) => {
  let now = 0
  const counts = memoryRateLimitCounter(() => now, 2)
  const one = (key: string, ms = 100) =>
    counts([{ key, windows: [{ ms, max: 9 }] }]).then(([windows]) => windows![0]!.current)
  await one('long', 1000)
  await one('short')
  now = 100
  t.equal(await one('new'), 1)
  t.equal(await one('long', 1000), 2, 'still counted')
  t.equal(await one('another'), 1)
  t.equal(await one('long', 1000), 1, 'the oldest made room')
})

t.test('in Valkey', { skip: VALKEY === undefined && 'no TEST_VALKEY_URL' }, async (t) => {
  promises('as in this process', async (t) => [valkeyRateLimitCounter(await valkey(t)), valkeyRateLimitCounter(await valkey(t))])

  await t.test('one round trip, whatever is counted', async (t) => {
    const connection = await valkey(t)
    let asked = 0
    const counts = valkeyRateLimitCounter({
      ...connection, run: (...script) => { asked++; return connection.run(...script) }
    })
    await counts(Array.from({ length: 20 }, () => visit(randomUUID())))
    t.equal(asked, 1)
  })

  for (const how of ['refuse', 'stall'] as const) {
    await t.test(`${how === 'refuse' ? 'away' : 'silent'}: alone meanwhile, together again by itself`, async (t) => {
      const proxy = await tcpProxy(t, VALKEY!)
      const connection = await valkey(t, proxy.url)
      let asked = 0
      const shared = valkeyRateLimitCounter(connection)
      const together: RateLimitCounter = Object.assign((visits: readonly Hit[]) => {
        asked++
        return shared(visits)
      }, { peek: shared.peek })
      const counts = withLocalFallback(connection, together, memoryRateLimitCounter())
      const said: string[] = []
      connection.watch((reason) => said.push(reason === undefined ? 'back' : 'away'))
      const key = randomUUID()
      t.same(await numbers(counts([visit(key)])), [[1, 1]])
      await proxy[how]()
      t.same(await numbers(counts([visit(key)])), [[1, 1]], 'alone')
      const before = asked
      t.same(await numbers(counts([visit(key)])), [[2, 2]])
      t.equal(asked, before, 'it is not asked any more')
      t.ok(connection.away)
      await proxy.restore()
      await until(() => !connection.away)
      // What was held on its way arrived after all.
      t.same(await numbers(counts([visit(key)])), how === 'stall' ? [[3, 3]] : [[2, 2]], 'together')
      t.same(said, ['away', 'back'])
    })
  }
})
