// Work in batches: together, in turn, each told of its own.
import t from 'tap'
import { createBatchQueue } from '../../../src/lib/async/batch-queue.js'

/** Work that ends when it is told to. */
const slow = () => {
  const batches: Array<{ items: readonly number[], end: (error?: Error) => void }> = []
  const work = (items: readonly number[]) => new Promise<void>((resolve, reject) => {
    batches.push({ items, end: (error) => error ? reject(error) : resolve() })
  })
  return { batches, work }
}
const turn = async () => { for (let n = 0; n < 4; n++) await new Promise((resolve) => setImmediate(resolve)) }

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
