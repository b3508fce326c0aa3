// Cosines of many vectors at once are those of a comparison one by one, to the last bit.
import t from 'tap'
import { limitOf } from '../../src/db/search-memory/largest.js'
import { eachNearest, ownedVectors, productOf } from '../../src/db/search-memory/nearest-vectors.js'
import { BLOCK, createProductKernel, createScalarKernel } from '../../src/db/search-memory/product-kernel.js'
import { createVectorRowsStore } from '../../src/db/search-memory/vector-rows.js'
import { dot, dotEach, normalize } from '../../src/search/vector.js'

const DIMENSIONS = 97

/** Numbers from -0.5 to 0.5 that follow from the seed. */
const seeded = (seed: number) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return seed / 2 ** 32 - 0.5
}

const randomVector = (random: () => number): Float32Array => normalize(Float32Array.from({ length: DIMENSIONS }, random))

interface OwnedVector { numbers: Float32Array, square: number, owner: number }

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
  const store = createVectorRowsStore()
  for (let seed = 1; seed <= 20; seed++) {
    const random = seeded(seed)
    const question = randomVector(random)
    const others = Array.from({ length: 150 }, () => randomVector(random))
    // Nearly the same, exactly the same, and without a direction.
    const near = others.slice(0, 40).map((vector) => vector.map((value, at) => at === 0 ? value + random() * 1e-6 : value))
    const vectors = [...others, ...near, ...others.slice(0, 20), new Float32Array(DIMENSIONS), question.map((value) => -value)].map(owned)
    const all = ownedVectors(vectors.map((vector) => [vector]), store)
    const wanted = vectors.map(() => random() > 0)
    for (const [limit, above] of [[10, -1], [60, 0], [60, 0.2], [1000, -1], [1000, 0.1]] as const) {
      for (const some of [undefined, wanted]) {
        const found: Array<{ owner: number, cosine: number }> = []
        eachNearest(all, question, { limit, above, wanted: some }, (owner, cosine) => { found.push({ owner, cosine }) })
        const compared = vectors.filter(({ owner }) => some?.[owner] ?? true)
        t.strictSame(found, compareAll(compared, question, limit, above), `seed ${seed}: ${limit} above ${above}`)
      }
    }
  }
})

t.test('an exploration may have several vectors, or none', async (t) => {
  const random = seeded(5)
  const [one, other, question] = [randomVector(random), randomVector(random), randomVector(random)]
  const vectors = ownedVectors([[], [owned(one, 0), owned(other, 0)], [], [owned(other, 0)]], createVectorRowsStore())
  const owners: number[] = []
  eachNearest(vectors, question, { limit: 10, above: -1 }, (owner) => { owners.push(owner) })
  t.strictSame(owners, [1, 1, 3])
  eachNearest(ownedVectors([[], []], createVectorRowsStore()), question, { limit: 10, above: -1 }, () => t.fail('there is none'))
})

t.test('vectors that others have taken the place of are there again', async (t) => {
  const random = seeded(9)
  // There is room for two of the three.
  const store = createVectorRowsStore(3 * 48 * DIMENSIONS)
  const groups = Array.from({ length: 3 }, () => Array.from({ length: 40 }, () => randomVector(random)))
  const rows = groups.map((vectors) => store.rowsOf(vectors))
  for (let round = 0; round < 4; round++) {
    if (round === 2) store.clear()
    const question = randomVector(random)
    groups.forEach((vectors, group) => {
      t.strictSame([...rows[group]!.productsWith(question)], vectors.map((vector) => productOf(vector, question)), `round ${round}`)
    })
  }
})

t.test('without instructions for four numbers the products are the same', async (t) => {
  const productsBy = (create: typeof createProductKernel): Float32Array => {
    const memory = new WebAssembly.Memory({ initial: 1 })
    const numbers = new Float32Array(memory.buffer)
    const [blocks, dimensions] = [2, 5]
    const random = seeded(11)
    for (let at = 0; at < (blocks * BLOCK + 1) * dimensions; at++) numbers[at] = random() * 10 ** (at % 40 - 20)
    const rowsEnd = blocks * BLOCK * dimensions * 4
    const productsAt = 1024
    create(memory)(0, rowsEnd, rowsEnd, rowsEnd + dimensions * 4, productsAt * 4)
    return numbers.slice(productsAt, productsAt + blocks * BLOCK)
  }
  const products = productsBy(createProductKernel)
  t.ok(products.every((product) => product !== 0))
  t.strictSame(products, productsBy(createScalarKernel))
})

t.test('the least of the largest', async (t) => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = seeded(seed)
    // Many are equal in half of the cases.
    const values = Float64Array.from({ length: 2 + seed }, () => seed % 2 === 0 ? random() : Math.round(random() * 6))
    const sorted = values.toSorted()
    for (const limit of [1, 2, Math.ceil(seed / 2), seed + 1]) {
      t.equal(limitOf(values, limit), sorted[sorted.length - limit], `seed ${seed}: ${limit} of ${values.length}`)
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
