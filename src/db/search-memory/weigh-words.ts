/** What a question's words weigh among the explorations that the caller sees, and how much of that each text holds. */
import type { SearchView } from './search-view.js'

export interface WeighedWords {
  /** By stem, in the order of the question: the rarer, the more. */
  weights: Array<readonly [lexeme: string, weight: number]>
  /** Numbers of the words that some text may hold, in the order of their bytes. */
  sorted: readonly number[]
  /** Whether each of them stands in some text that the caller sees. */
  allKnown: boolean
  /** How much of their weight each exploration holds, 0 to 1, by its place. */
  coverage: Float64Array
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
  const coverage = new Float64Array(explorations.length)
  weights.forEach(([, weight], place) => {
    const places = holders[place] ?? new Uint16Array()
    for (let at = 0; at < places.length; at++) coverage[places[at]!]! += weight
  })
  // Without any word there is nothing to divide.
  if (whole > 0) for (let place = 0; place < coverage.length; place++) coverage[place]! /= whole
  const sorted = stems.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
  return {
    weights,
    sorted: sorted.flatMap((stem) => numberOf(stem) ?? []),
    allKnown: holders.every(({ length }) => length > 0),
    coverage
  }
}
