/** Compares vectors as pgvector does: in single precision, one product after the other, so that cosines are equal. */
import type { IndexedExploration } from './indexed-exploration.js'

const { fround } = Math

export interface NearVector { exploration: IndexedExploration, cosine: number }

/** The vectors nearest to the question's, the nearest first. */
export const nearestVectors = (
  explorations: readonly IndexedExploration[], question: Float32Array, limit: number
): NearVector[] => {
  const square = productOf(question, question)
  const near = explorations.flatMap((exploration) => exploration.vectors.map((vector) => {
    const similarity = productOf(vector.numbers, question) / Math.sqrt(vector.square * square)
    return { exploration, cosine: 1 - (1 - Math.max(-1, Math.min(1, similarity))) }
  }))
  return near.sort((one, other) => other.cosine - one.cosine).slice(0, limit)
}

/** The product of two vectors of one length. */
export const productOf = (one: Float32Array, other: Float32Array): number => {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum = fround(sum + fround(one[i]! * other[i]!))
  return sum
}
