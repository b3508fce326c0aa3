/** Measures what an embedder's cosines mean: its titles as queries, against their own texts and against others. */
import { dot } from './vector.js'
import { asQuery, type Embedder, type Scale } from './embedder.js'

/** A smaller sample says nothing. */
const MIN_SAMPLE = 8

export interface Titled { title: string, vector: Float32Array }

/** The scale; undefined when the sample is too small. */
export const calibrateScores = async (embedder: Embedder, sample: readonly Titled[]): Promise<Scale | undefined> => {
  if (sample.length < MIN_SAMPLE) return undefined
  const titles = sample.map(({ title }) => asQuery(title))
  const queryVectors = await embedder.embed(titles, { kind: 'query' })
  const own: number[] = []
  const others: number[] = []
  queryVectors.forEach((queryVector, queryIndex) => sample.forEach(({ vector }, sampleIndex) => {
    (queryIndex === sampleIndex ? own : others).push(dot(queryVector, vector))
  }))
  const unrelated = quantile(others, 0.95)
  return { unrelated, related: Math.max(quantile(own, 0.5), unrelated + 0.05) }
}

const quantile = (values: number[], share: number): number =>
  values.sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0
