// Reads that are gathered, and work in batches: fewer statements, the same answers; together, in turn, each caller with its own.
import { mock } from 'node:test'
import t from 'tap'
import { batchLoader } from '../../../src/lib/async/batch-loader.js'
import { createBatchQueue } from '../../../src/lib/async/batch-queue.js'

const turn = async () => { for (let n = 0; n < 4; n++) await new Promise((resolve) => setImmediate(resolve)) }

/** A loader of facts, whose reads end when they are told to. */
const slowLoader = (facts: Record<string, number>) => {
  const reads: Array<{ keys: readonly string[], end: (error?: Error) => void }> = []
  const get = batchLoader((keys) => new Promise<Map<string, number>>((resolve, reject) => {
    reads.push({
      keys,
      end: (error) => error ? reject(error) : resolve(new Map(keys.flatMap((key) => key in facts ? [[key, facts[key]!]] : [])))
    })
  }))
  return { reads, get }
}

t.test('what is asked in one turn is one statement, each key once, and at most 100 of them', async (t) => {
  const { reads, get } = slowLoader({ a: 1, b: 2 })
  const asked = ['a', 'b', 'a', 'none'].map(get)
  await turn()
  t.strictSame(reads.map(({ keys }) => keys), [['a', 'b', 'none']])
  reads[0]!.end()
  t.strictSame(await Promise.all(asked), [1, 2, 1, undefined])
  const many = Array.from({ length: 101 }, (_, n) => get(`${n}`))
  await turn()
  t.equal(reads[1]!.keys.length, 100)
  reads[1]!.end()
  await turn()
  t.strictSame(reads[2]!.keys, ['100'])
  reads[2]!.end()
  await Promise.all(many)
})

t.test('what is asked while a statement runs is read by the next, soon, and never answered from it', async (t) => {
  const facts: Record<string, number> = { a: 1, b: 2 }
  const { reads, get } = slowLoader(facts)
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const asked = [get('a')]
  await turn()
  asked.push(get('a'))
  await turn()
  t.equal(reads.length, 1)
  reads[0]!.end()
  t.equal(await asked[0], 1)
  delete facts['a']
  await turn()
  t.equal(reads.length, 2, 'at once when the first is back')
  asked.push(get('b'))
  mock.timers.tick(5)
  t.strictSame(reads[2]!.keys, ['b'], 'beside one that does not come back')
  for (const { end } of reads) end()
  t.strictSame(await Promise.all(asked), [1, undefined, 2])
})

t.test('a statement that fails fails those who wait for it, and no others', async (t) => {
  const { reads, get } = slowLoader({ b: 2 })
  const failing = [get('a'), get('a')].map((asked) => asked.then(() => 'found', (error: Error) => error.message))
  await turn()
  reads[0]!.end(new Error('broke'))
  t.strictSame(await Promise.all(failing), ['broke', 'broke'])
  const next = get('b')
  await turn()
  reads[1]!.end()
  t.equal(await next, 2)
})

/** Work that ends when it is told to. */
const slow = () => {
  const batches: Array<{ items: readonly number[], end: (error?: Error) => void }> = []
  const work = (items: readonly number[]) => new Promise<void>((resolve, reject) => {
    batches.push({ items, end: (error) => error ? reject(error) : resolve() })
  })
  return { batches, work }
}

t.test('what comes in one turn goes together, what comes meanwhile with the next', async (t) => {
  const { batches, work } = slow()
  const { add, drain } = createBatchQueue(work, { maxBatch: 2, maxQueued: 10, label: 'numbers' })
  const first = [1, 2, 3].map(add)
  await turn()
  t.strictSame(batches.map(({ items }) => items), [[1, 2]])
  const later = add(4)
  batches[0]!.end()
  await Promise.all(first.slice(0, 2))
  await turn()
  t.strictSame(batches[1]!.items, [3, 4])
  batches[1]!.end()
  await Promise.all([...first, later, drain()])
})

t.test('a batch that fails fails its own, and the next begins', async (t) => {
  const { batches, work } = slow()
  const { add } = createBatchQueue(work, { maxBatch: 1, maxQueued: 10, label: 'numbers' })
  const [one, two] = [add(1), add(2)]
  await turn()
  batches[0]!.end(new Error('lost'))
  await t.rejects(one, /lost/)
  await turn()
  batches[1]!.end()
  await two
})

t.test('no more wait than may, and no more batches are under way', async (t) => {
  const { batches, work } = slow()
  const { add } = createBatchQueue(work, { maxBatch: 1, concurrency: 2, maxQueued: 3, label: 'numbers' })
  const added = []
  for (const number of [1, 2, 3]) {
    added.push(add(number))
    await turn()
  }
  t.strictSame(batches.map(({ items }) => items), [[1], [2]], 'two at a time')
  added.push(add(4), add(5))
  await t.rejects(add(6), /too many numbers are waiting/)
  for (let ended = 0; ended < 5; ended++) {
    batches[ended]!.end()
    await turn()
  }
  await Promise.all(added)
})
