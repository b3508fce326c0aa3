/**
 * Finds the vectors nearest to a question's as pgvector does: in single precision, one product after the other, so that
 * cosines are equal.
 */
import type { IndexedVector } from './indexed-exploration.js'
import { limitOf } from './largest.js'
import type { VectorRows, VectorRowsStore } from './vector-rows.js'

const { fround } = Math

/** Vectors of one length, with the places of their explorations. */
export interface OwnedVectors {
  owners: readonly number[]
  /** The product of each with itself. */
  squares: readonly number[]
  rows: VectorRows
}

export interface NearestOptions {
  /** Most vectors. */
  limit: number
  /** Only vectors whose cosine is larger; at least -1. */
  above: number
  /** By place of an exploration, whether its vectors are compared; undefined when all are. */
  wanted?: readonly boolean[] | undefined
}

/** Below every cosine. */
const NONE = -2

/** Puts together the vectors of explorations, in their order. */
export const ownedVectors = (
  byOwner: ReadonlyArray<readonly IndexedVector[]>, store: VectorRowsStore
): OwnedVectors => {
  const vectors = byOwner.flat()
  return {
    owners: byOwner.flatMap((own, owner) => own.map(() => owner)),
    squares: vectors.map(({ square }) => square),
    rows: store.rowsOf(vectors.map(({ numbers }) => numbers))
  }
}

/**
 * Calls `onNear` with the places of the explorations whose vectors are nearest to the question's, in the order of the
 * vectors; of equal ones the first. Vectors without a direction are left out.
 */
export const eachNearest = (
  vectors: OwnedVectors, question: Float32Array, { limit, above, wanted }: NearestOptions,
  onNear: (owner: number, cosine: number) => void
): void => {
  const { owners } = vectors
  const cosines = cosinesOf(vectors, question, wanted)
  const least = cosines.length > limit ? limitOf(cosines, limit) : NONE
  // Of equal ones the first are taken.
  let equal = limit
  for (let at = 0; at < cosines.length; at++) if (cosines[at]! > least) equal--
  for (let at = 0; at < cosines.length; at++) {
    const cosine = cosines[at]!
    if (cosine > above && (cosine > least || (cosine === least && equal-- > 0))) onNear(owners[at]!, cosine)
  }
}

const cosinesOf = (
  { owners, squares, rows }: OwnedVectors, question: Float32Array, wanted: NearestOptions['wanted']
): Float64Array => {
  const square = productOf(question, question)
  const products = rows.productsWith(question)
  const cosines = new Float64Array(owners.length)
  for (let at = 0; at < cosines.length; at++) {
    const similarity = products[at]! / Math.sqrt(squares[at]! * square)
    const isCompared = !Number.isNaN(similarity) && (!wanted || wanted[owners[at]!])
    cosines[at] = isCompared ? 1 - (1 - Math.max(-1, Math.min(1, similarity))) : NONE
  }
  return cosines
}

/** The product of two vectors of one length. */
export const productOf = (one: Float32Array, other: Float32Array): number => {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum = fround(sum + fround(one[i]! * other[i]!))
  return sum
}
