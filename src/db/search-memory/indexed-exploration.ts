/** What the memory of search holds of one exploration. */
import type { ExplorationSummary } from '../../planning/store.js'
import { readTsvector } from './lexeme-ranks.js'
import type { ExplorationRow } from './memory-statements.js'
import { productOf } from './nearest-vectors.js'

export interface IndexedExploration {
  /** As the database shows it. */
  summary: ExplorationSummary
  /** In small letters, as the database writes them. */
  title: string
  /** The number in its address. */
  reference: string | null
  /** Numbers of its words, ascending; `shares` has the share of a rank for each. */
  words: Uint32Array
  shares: Float32Array
  /** How many positions each of the words has, and the positions of all of them one after the other. */
  counts: Uint8Array
  positions: Uint16Array
  vectors: readonly IndexedVector[]
}

export interface IndexedVector {
  numbers: Float32Array
  /** Its product with itself. */
  square: number
}

/** `numberOf` gives the number of a word, a new one for a new word. */
export const indexExploration = (
  { lower_title: title, reference, document, vectors, ...summary }: ExplorationRow, numberOf: (lexeme: string) => number
): IndexedExploration => {
  const entries: Array<[word: number, share: number, positions: readonly number[]]> = []
  if (document !== null) readTsvector(document, (lexeme, ...rest) => { entries.push([numberOf(lexeme), ...rest]) })
  entries.sort(([one], [other]) => one - other)
  return {
    summary,
    title,
    reference,
    words: Uint32Array.from(entries, ([word]) => word),
    shares: Float32Array.from(entries, ([, share]) => share),
    counts: Uint8Array.from(entries, ([, , { length }]) => length),
    positions: Uint16Array.from(entries.flatMap(([, , positions]) => positions)),
    vectors: vectors.map(indexVector)
  }
}

const indexVector = (text: string): IndexedVector => {
  const numbers = Float32Array.from(text.slice(1, -1).split(','), Number)
  return { numbers, square: productOf(numbers, numbers) }
}

/** The place of a word in an exploration; -1 when it is not there. */
export const placeOf = (words: Uint32Array, word: number): number => {
  let from = 0
  let to = words.length - 1
  while (from <= to) {
    const middle = (from + to) >>> 1
    const current = words[middle] ?? 0
    if (current === word) return middle
    if (current < word) from = middle + 1
    else to = middle - 1
  }
  return -1
}

/** The positions of a word in an exploration, ascending; none when it is not there. */
export const positionsOf = (
  { words, counts, positions }: Pick<IndexedExploration, 'words' | 'counts' | 'positions'>, word: number
): Uint16Array => {
  const place = placeOf(words, word)
  if (place === -1) return positions.subarray(0, 0)
  let from = 0
  for (let before = 0; before < place; before++) from += counts[before] ?? 0
  return positions.subarray(from, from + (counts[place] ?? 0))
}
