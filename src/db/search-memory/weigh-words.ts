/** What a question's words weigh among the explorations that the caller sees, and how much of that each text holds. */
import { placeOf, type IndexedExploration } from './indexed-exploration.js'

export interface WeighedWords {
  /** By stem, in the order of the question: the rarer, the more. */
  weights: Array<readonly [lexeme: string, weight: number]>
  /** Numbers of the words that some text may hold, in the order of their bytes. */
  sorted: readonly number[]
  /** Whether each of them stands in some text that the caller sees. */
  allKnown: boolean
  /** Explorations that hold some of the words, and how much of their weight, 0 to 1. */
  coverage: ReadonlyMap<IndexedExploration, number>
}

/** `numberOf` gives the number of a word; undefined for a word that stands nowhere. */
export const weighWords = (
  explorations: readonly IndexedExploration[], stems: readonly string[],
  numberOf: (lexeme: string) => number | undefined
): WeighedWords => {
  const holders = stems.map((stem) => {
    const word = numberOf(stem)
    return word === undefined ? [] : explorations.filter(({ words }) => placeOf(words, word) !== -1)
  })
  const weights = stems.map((stem, index) =>
    [stem, Math.log(1 + explorations.length / (1 + (holders[index]?.length ?? 0)))] as const)
  const whole = weights.reduce((sum, [, weight]) => sum + weight, 0)
  const coverage = new Map<IndexedExploration, number>()
  weights.forEach(([, weight], index) => {
    for (const exploration of holders[index] ?? []) coverage.set(exploration, (coverage.get(exploration) ?? 0) + weight)
  })
  for (const [exploration, weight] of coverage) coverage.set(exploration, weight / whole)
  const sorted = stems.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
  return {
    weights,
    sorted: sorted.flatMap((stem) => numberOf(stem) ?? []),
    allKnown: holders.every(({ length }) => length > 0),
    coverage
  }
}
