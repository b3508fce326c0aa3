// Reads that are gathered: fewer statements, the same answers.
import { mock } from 'node:test'
import t from 'tap'
import { batchLoader } from '../../../src/lib/async/batch-loader.js'

/** A loader of facts, whose reads end when they are told to. */
const slow = (facts: Record<string, number>) => {
  const reads: Array<{ keys: readonly string[], end: (error?: Error) => void }> = []
  const get = batchLoader((keys) => new Promise<Map<string, number>>((resolve, reject) => {
    reads.push({
      keys,
      end: (error) => error ? reject(error) : resolve(new Map(keys.flatMap((key) => key in facts ? [[key, facts[key]!]] : [])))
    })
  }))
  return { reads, get }
}
const turn = async () => { for (let n = 0; n < 4; n++) await new Promise((resolve) => setImmediate(resolve)) }

t.test('what is asked in one turn is one statement, each key once, and at most 100 of them', async (t) => {
  const { reads, get } = slow({ a: 1, b: 2 })
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
  const { reads, get } = slow(facts)
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
  const { reads, get } = slow({ b: 2 })
  const failing = [get('a'), get('a')].map((asked) => asked.then(() => 'found', (error: Error) => error.message))
  await turn()
  reads[0]!.end(new Error('broke'))
  t.strictSame(await Promise.all(failing), ['broke', 'broke'])
  const next = get('b')
  await turn()
  reads[1]!.end()
  t.equal(await next, 2)
})
