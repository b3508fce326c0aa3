// Reads that are gathered: fewer statements, the same answers.
import { mock } from 'node:test'
import t from 'tap'
import { batchLoader } from '../../../src/lib/async/batch-loader.js'

/** A store whose reads end when they are told to. */
const slow = (facts: Record<string, number>) => {
  const reads: Array<{ keys: readonly string[], end: (error?: Error) => void }> = []
  const read = (keys: readonly string[]) => new Promise<Map<string, number>>((resolve, reject) => {
    reads.push({
      keys,
      end: (error) => error ? reject(error) : resolve(new Map(keys.flatMap((key) => key in facts ? [[key, facts[key]!]] : [])))
    })
  })
  return { reads, read }
}
const turn = async () => { for (let n = 0; n < 4; n++) await new Promise((resolve) => setImmediate(resolve)) }

t.test('what is asked in one turn is one statement, each key once', async (t) => {
  const { reads, read } = slow({ a: 1, b: 2 })
  const get = batchLoader(read)
  const asked = ['a', 'b', 'a', 'none'].map(get)
  await turn()
  t.strictSame(reads.map(({ keys }) => keys), [['a', 'b', 'none']])
  reads[0]!.end()
  t.strictSame(await Promise.all(asked), [1, 2, 1, undefined])
})

t.test('what is asked while a statement runs is read afterwards, never answered from it', async (t) => {
  const facts: Record<string, number> = { a: 1 }
  const { reads, read } = slow(facts)
  const get = batchLoader(read, { concurrency: 1 })
  const first = get('a')
  await turn()
  const second = get('a')
  await turn()
  t.equal(reads.length, 1, 'one at a time')
  reads[0]!.end()
  t.equal(await first, 1)
  delete facts['a']
  await turn()
  reads[1]!.end()
  t.equal(await second, undefined)
})

t.test('no more keys than a statement takes, no more statements than allowed', async (t) => {
  const { reads, read } = slow({})
  const get = batchLoader(read, { maxBatch: 2, concurrency: 2 })
  const asked = ['a', 'b', 'c', 'd', 'e'].map(get)
  await turn()
  t.strictSame(reads.map(({ keys }) => keys), [['a', 'b'], ['c', 'd']])
  for (const { end } of reads) end()
  await turn()
  t.strictSame(reads[2]!.keys, ['e'])
  reads[2]!.end()
  await Promise.all(asked)
})

t.test('what fills no statement waits for the one under way, but not for one that takes its time', async (t) => {
  const { reads, read } = slow({ a: 1, b: 2, c: 3 })
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const get = batchLoader(read, { maxDelayMs: 5 })
  const asked = [get('a')]
  await turn()
  asked.push(get('b'))
  await turn()
  t.equal(reads.length, 1)
  reads[0]!.end()
  await turn()
  t.strictSame(reads[1]!.keys, ['b'], 'at once when it is back')
  asked.push(get('c'))
  await turn()
  t.equal(reads.length, 2)
  mock.timers.tick(5)
  t.strictSame(reads[2]!.keys, ['c'], 'beside one that does not come back')
  for (const { end } of reads) end()
  t.strictSame(await Promise.all(asked), [1, 2, 3])
})

t.test('a statement that fails fails those who wait for it, and no others', async (t) => {
  const { reads, read } = slow({ b: 2 })
  const get = batchLoader(read)
  const failing = [get('a'), get('a')].map((asked) => asked.then(() => 'found', (error: Error) => error.message))
  await turn()
  reads[0]!.end(new Error('broke'))
  t.strictSame(await Promise.all(failing), ['broke', 'broke'])
  const next = get('b')
  await turn()
  reads[1]!.end()
  t.equal(await next, 2)
})
