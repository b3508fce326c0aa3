/**
 * Learns what an embedder's cosines mean: its own titles as questions, of what they stand above and of what they do
 * not.
 */
import { dot } from './dot.js'
import type { Embedder, Scale } from './embedder.js'

/** Of fewer, nothing can be learnt. */
const MIN_SAMPLE = 8

export interface Titled { title: string, vector: Float32Array }

/** Undefined when there is too little to learn from. */
export const calibrateScores = async (embedder: Embedder, sample: readonly Titled[]): Promise<Scale | undefined> => {
  if (sample.length < MIN_SAMPLE) return undefined
  const questions = await embedder.embed(sample.map(({ title }) => ({ parts: [{ text: title, weight: 1 }] })), { kind: 'query' })
  const own: number[] = []
  const others: number[] = []
  questions.forEach((question, questionIndex) => sample.forEach(({ vector }, sampleIndex) => {
    (questionIndex === sampleIndex ? own : others).push(dot(question, vector))
  }))
  const unrelated = quantile(others, 0.95)
  return { unrelated, related: Math.max(quantile(own, 0.5), unrelated + 0.05) }
}

const quantile = (values: number[], share: number): number =>
  values.sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0
