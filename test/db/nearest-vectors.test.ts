// The vectors that an estimate leaves out are none of those that a comparison of all would give.
import t from 'tap'
import { eachNearest, productOf } from '../../src/db/search-memory/nearest-vectors.js'
import type { OwnedVector } from '../../src/db/search-memory/search-view.js'
import { dot, dotEach, normalize } from '../../src/search/vector.js'

const DIMENSIONS = 97

/** Numbers from -0.5 to 0.5 that follow from the seed. */
const seeded = (seed: number) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return seed / 2 ** 32 - 0.5
}

const randomVector = (random: () => number): Float32Array => normalize(Float32Array.from({ length: DIMENSIONS }, random))

const owned = (numbers: Float32Array, owner: number): OwnedVector => ({ numbers, square: productOf(numbers, numbers), owner })

/** Each cosine in single precision, the nearest first, the first of equal ones first. */
const compareAll = (vectors: readonly OwnedVector[], question: Float32Array, limit: number, above: number) => vectors
  .map(({ numbers, square, owner }) => {
    const similarity = productOf(numbers, question) / Math.sqrt(square * productOf(question, question))
    return { owner, cosine: 1 - (1 - Math.max(-1, Math.min(1, similarity))) }
  })
  .filter(({ cosine }) => !Number.isNaN(cosine))
  .sort((one, other) => other.cosine - one.cosine || one.owner - other.owner)
  .slice(0, limit)
  .filter(({ cosine }) => cosine > above)
  .sort((one, other) => one.owner - other.owner)

t.test('the nearest are those of a comparison of all', async (t) => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = seeded(seed)
    const question = randomVector(random)
    const others = Array.from({ length: 150 }, () => randomVector(random))
    // Nearly the same, exactly the same, and without a direction.
    const near = others.slice(0, 40).map((vector) => vector.map((value, at) => at === 0 ? value + random() * 1e-6 : value))
    const vectors = [...others, ...near, ...others.slice(0, 20), new Float32Array(DIMENSIONS), question.map((value) => -value)].map(owned)
    for (const [limit, above] of [[10, -1], [60, 0], [60, 0.2], [1000, -1], [1000, 0.1]] as const) {
      const found: Array<{ owner: number, cosine: number }> = []
      eachNearest(vectors, question, { limit, above }, (owner, cosine) => { found.push({ owner, cosine }) })
      t.strictSame(found, compareAll(vectors, question, limit, above), `seed ${seed}: ${limit} above ${above}`)
    }
  }
})

t.test('products of several rows are those of each', async (t) => {
  const random = seeded(3)
  for (const count of [0, 1, 3, 4, 9]) {
    const rows = Array.from({ length: count }, () => randomVector(random))
    const together = Float32Array.from(rows.flatMap((row) => [...row]))
    const vector = randomVector(random)
    t.strictSame(dotEach(together, vector), Float32Array.from(rows, (row) => dot(row, vector)))
  }
})
