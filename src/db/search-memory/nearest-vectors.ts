/**
 * Finds the vectors nearest to a question's as pgvector does: in single precision, one product after the other, so that
 * cosines are equal. Most vectors are far from the question: an estimate in double precision, three times as fast,
 * leaves them out.
 */
import type { IndexedVector } from './indexed-exploration.js'
import { limitOf } from './largest.js'
import type { OwnedVector } from './search-view.js'

const { fround } = Math

export interface NearestOptions {
  /** Most vectors. */
  limit: number
  /** Only vectors whose cosine is larger; at least -1. */
  above: number
}

/**
 * Calls `onNear` with the places of the explorations whose vectors are nearest to the question's, in the order of the
 * vectors. Vectors without a direction are left out.
 */
export const eachNearest = (
  vectors: readonly OwnedVector[], question: Float32Array, { limit, above }: NearestOptions,
  onNear: (owner: number, cosine: number) => void
): void => {
  const near = possiblyNear(vectors, question, { limit, above })
  const cosines = cosinesOf(near, question)
  const isNear = nearestFilter(cosines, limit)
  near.forEach(({ owner }, at) => {
    const cosine = cosines[at] ?? 0
    if (isNear(cosine) && cosine > above) onNear(owner, cosine)
  })
}

/** All vectors that may be among the nearest, and few others. */
const possiblyNear = (
  vectors: readonly OwnedVector[], question: Float32Array, { limit, above }: NearestOptions
): OwnedVector[] => {
  const estimates = estimateCosines(vectors, question)
  // Twice what rounding to single precision, once for each number, can make of a cosine.
  const error = (question.length + 2) * 2 ** -23
  const least = vectors.length > limit ? limitOf(estimates, limit) : -1
  const floor = Math.max(least, above) - 2 * error
  return vectors.filter((_, at) => (estimates[at] ?? 0) >= floor)
}

/** In double precision; below -1 for vectors without a direction. */
const estimateCosines = (vectors: readonly IndexedVector[], question: Float32Array): Float64Array => {
  const cosines = new Float64Array(vectors.length)
  const numbers = Float64Array.from(question)
  const square = productOf(question, question)
  for (let at = 0; at < vectors.length; at++) {
    const vector = vectors[at]!
    const cosine = estimateProduct(vector.numbers, numbers) / Math.sqrt(vector.square * square)
    cosines[at] = Number.isNaN(cosine) ? -2 : cosine
  }
  return cosines
}

/** Four sums, as each addition waits for the one before it. */
const estimateProduct = (one: Float32Array, other: Float64Array): number => {
  const { length } = other
  let sumA = 0
  let sumB = 0
  let sumC = 0
  let sumD = 0
  let i = 0
  for (; i + 4 <= length; i += 4) {
    sumA += one[i]! * other[i]!
    sumB += one[i + 1]! * other[i + 1]!
    sumC += one[i + 2]! * other[i + 2]!
    sumD += one[i + 3]! * other[i + 3]!
  }
  for (; i < length; i++) sumA += one[i]! * other[i]!
  return sumA + sumB + sumC + sumD
}

/** Whether a cosine is one of the `limit` largest; to be called once for each, in their order. */
const nearestFilter = (cosines: Float64Array, limit: number): (cosine: number) => boolean => {
  if (cosines.length <= limit) return () => true
  const least = limitOf(cosines, limit)
  // Of equal ones the first are taken.
  let equal = limit - cosines.reduce((count, cosine) => cosine > least ? count + 1 : count, 0)
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
