/** What a question's words weigh among the explorations that the caller sees, and how much of that each text holds. */
import type { IndexedExploration } from './indexed-exploration.js'
import type { SearchView } from './search-view.js'

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
  { explorations, holdersOf }: SearchView, stems: readonly string[],
  numberOf: (lexeme: string) => number | undefined
): WeighedWords => {
  const holders = stems.map((stem) => {
    const word = numberOf(stem)
    return word === undefined ? new Uint16Array() : holdersOf(word)
  })
  const weights = stems.map((stem, place) =>
    [stem, Math.log(1 + explorations.length / (1 + (holders[place]?.length ?? 0)))] as const)
  const whole = weights.reduce((sum, [, weight]) => sum + weight, 0)
  const sums = new Float64Array(explorations.length)
  weights.forEach(([, weight], place) => {
    for (const holder of holders[place] ?? []) sums[holder] = (sums[holder] ?? 0) + weight
  })
  const coverage = new Map<IndexedExploration, number>()
  sums.forEach((sum, place) => {
    const exploration = explorations[place]
    if (exploration && sum > 0) coverage.set(exploration, sum / whole)
  })
  const sorted = stems.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
  return {
    weights,
    sorted: sorted.flatMap((stem) => numberOf(stem) ?? []),
    allKnown: holders.every(({ length }) => length > 0),
    coverage
  }
}
