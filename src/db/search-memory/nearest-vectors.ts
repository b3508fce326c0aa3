/** Compares vectors as pgvector does: in single precision, one product after the other, so that cosines are equal. */
import type { IndexedExploration, IndexedVector } from './indexed-exploration.js'

const { fround } = Math

export interface NearestOptions {
  /** Most vectors. */
  limit: number
  /** Only vectors whose cosine is larger. */
  above: number
}

/** Calls `onNear` for the vectors nearest to the question's, in no order. Vectors without a direction are left out. */
export const eachNearest = (
  explorations: readonly IndexedExploration[], question: Float32Array, { limit, above }: NearestOptions,
  onNear: (exploration: IndexedExploration, cosine: number) => void
): void => {
  const vectors: IndexedVector[] = []
  const owners: IndexedExploration[] = []
  for (const exploration of explorations) {
    for (const vector of exploration.vectors) {
      vectors.push(vector)
      owners.push(exploration)
    }
  }
  const cosines = cosinesOf(vectors, question)
  const isNear = nearestFilter(cosines, limit)
  cosines.forEach((cosine, place) => {
    const exploration = owners[place]
    if (exploration && isNear(cosine) && cosine > above) onNear(exploration, cosine)
  })
}

/** Whether a cosine is one of the `limit` largest; to be called once for each, in their order. */
const nearestFilter = (cosines: Float64Array, limit: number): (cosine: number) => boolean => {
  if (cosines.length <= limit) return () => true
  const sorted = cosines.map((cosine) => Number.isNaN(cosine) ? -1 : cosine).sort()
  const least = sorted[sorted.length - limit] ?? -1
  // Of equal ones the first are taken.
  let equal = 0
  for (let place = sorted.length - limit; place < sorted.length && sorted[place] === least; place++) equal++
  return (cosine) => cosine > least || (cosine === least && equal-- > 0)
}

const cosinesOf = (vectors: readonly IndexedVector[], question: Float32Array): Float64Array => {
  const square = productOf(question, question)
  const products = productsOf(vectors, question)
  return products.map((product, place) => {
    const similarity = product / Math.sqrt((vectors[place]?.square ?? 0) * square)
    return 1 - (1 - Math.max(-1, Math.min(1, similarity)))
  })
}

/** Four vectors at a time: each addition waits for the one before it, but not for those of other vectors. */
const productsOf = (vectors: readonly IndexedVector[], question: Float32Array): Float64Array => {
  const products = new Float64Array(vectors.length)
  const { length } = question
  let place = 0
  for (; place + 4 <= vectors.length; place += 4) {
    const a = vectors[place]!.numbers
    const b = vectors[place + 1]!.numbers
    const c = vectors[place + 2]!.numbers
    const d = vectors[place + 3]!.numbers
    let sumA = 0
    let sumB = 0
    let sumC = 0
    let sumD = 0
    for (let i = 0; i < length; i++) {
      const number = question[i]!
      sumA = fround(sumA + fround(a[i]! * number))
      sumB = fround(sumB + fround(b[i]! * number))
      sumC = fround(sumC + fround(c[i]! * number))
      sumD = fround(sumD + fround(d[i]! * number))
    }
    products[place] = sumA
    products[place + 1] = sumB
    products[place + 2] = sumC
    products[place + 3] = sumD
  }
  for (; place < vectors.length; place++) products[place] = productOf(vectors[place]!.numbers, question)
  return products
}

/** The product of two vectors of one length. */
export const productOf = (one: Float32Array, other: Float32Array): number => {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum = fround(sum + fround(one[i]! * other[i]!))
  return sum
}
