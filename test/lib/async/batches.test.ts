// Reads that are gathered, and work in batches: fewer statements, the same answers; together, in turn, each caller with its own.
import { mock } from 'node:test'
import t from 'tap'
import { batchLoader } from '../../../src/lib/async/batch-loader.js'
import { createBatchQueue } from '../../../src/lib/async/batch-queue.js'

const turn = async () => { for (let n = 0; n < 4; n++) await new Promise((resolve) => setImmediate(resolve)) }

/** Work on batches, which ends when it is told to. */
const slow = <Item, Outcome>(outcome: (items: readonly Item[]) => Outcome) => {
  const batches: Array<{ items: readonly Item[], end: (error?: Error) => void }> = []
  const work = (items: readonly Item[]) => new Promise<Outcome>((resolve, reject) => {
    batches.push({ items, end: (error) => error ? reject(error) : resolve(outcome(items)) })
  })
  return { batches, work, itemsOf: () => batches.map(({ items }) => items) }
}

const slowLoader = (facts: Record<string, number>) => {
  const reads = slow((keys: readonly string[]) => new Map(keys.flatMap((key) => key in facts ? [[key, facts[key]!] as const] : [])))
  return { ...reads, get: batchLoader(reads.work) }
}

t.test('what is asked in one turn is one statement, each key once, and at most 100 of them', async (t) => {
  const { batches, itemsOf, get } = slowLoader({ a: 1, b: 2 })
  const asked = ['a', 'b', 'a', 'none'].map(get)
  await turn()
  t.strictSame(itemsOf(), [['a', 'b', 'none']])
  batches[0]!.end()
  t.strictSame(await Promise.all(asked), [1, 2, 1, undefined])
  const many = Array.from({ length: 101 }, (_, n) => get(`${n}`))
  await turn()
  batches[1]!.end()
  await turn()
  t.strictSame(itemsOf().slice(1).map(({ length }) => length), [100, 1])
  batches[2]!.end()
  await Promise.all(many)
})

t.test('what is asked while a statement runs is read by the next, soon, and never answered from it', async (t) => {
  const facts: Record<string, number> = { a: 1, b: 2 }
  const { batches, itemsOf, get } = slowLoader(facts)
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const asked = [get('a')]
  await turn()
  asked.push(get('a'))
  await turn()
  t.equal(batches.length, 1)
  batches[0]!.end()
  t.equal(await asked[0], 1)
  delete facts['a']
  await turn()
  t.equal(batches.length, 2, 'at once when the first is back')
  asked.push(get('b'))
  mock.timers.tick(5)
  t.strictSame(itemsOf()[2], ['b'], 'beside one that does not come back')
  for (const { end } of batches) end()
  t.strictSame(await Promise.all(asked), [1, undefined, 2])
})

t.test('a statement that fails fails those who wait for it, and no others', async (t) => {
  const { batches, get } = slowLoader({ b: 2 })
  const failing = [get('a'), get('a')].map((asked) => asked.then(() => 'found', (error: Error) => error.message))
  await turn()
  batches[0]!.end(new Error('broke'))
  t.strictSame(await Promise.all(failing), ['broke', 'broke'])
  const next = get('b')
  await turn()
  batches[1]!.end()
  t.equal(await next, 2)
})

t.test('work that comes meanwhile goes with the next batch, in order; a batch that fails fails its own', async (t) => {
  const { batches, work, itemsOf } = slow((_items: readonly number[]) => {})
  const { add, drain } = createBatchQueue(work, { maxBatch: 2, maxQueued: 10, label: 'numbers' })
  const first = [1, 2, 3].map(add)
  await turn()
  t.strictSame(itemsOf(), [[1, 2]])
  const later = add(4)
  batches[0]!.end()
  await Promise.all(first.slice(0, 2))
  await turn()
  t.strictSame(batches[1]!.items, [3, 4])
  const after = add(5)
  batches[1]!.end(new Error('lost'))
  await Promise.all([...first.slice(2), later].map((lost) => t.rejects(lost, /lost/)))
  await turn()
  batches[2]!.end()
  await Promise.all([after, drain()])
})

t.test('no more wait than may, and no more batches are under way', async (t) => {
  const { batches, work, itemsOf } = slow((_items: readonly number[]) => {})
  const { add } = createBatchQueue(work, { maxBatch: 1, concurrency: 2, maxQueued: 3, label: 'numbers' })
  const added = []
  for (const number of [1, 2, 3]) {
    added.push(add(number))
    await turn()
  }
  t.strictSame(itemsOf(), [[1], [2]], 'two at a time')
  added.push(add(4), add(5))
  await t.rejects(add(6), /too many numbers are waiting/)
  for (let ended = 0; ended < 5; ended++) {
    batches[ended]!.end()
    await turn()
  }
  await Promise.all(added)
})
