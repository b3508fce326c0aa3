/** The explorations that a caller sees, with what was computed of them for earlier questions. */
import { lruSet } from '../../lib/lru.js'
import { placeOf, type IndexedExploration } from './indexed-exploration.js'
import { ownedVectors, type OwnedVectors } from './nearest-vectors.js'
import type { VectorRowsStore } from './vector-rows.js'

export interface SearchView {
  explorations: readonly IndexedExploration[]
  /** Those of all explorations, in their order. */
  vectors: OwnedVectors
  /** Places, ascending, of the explorations that hold the word of this number. */
  holdersOf (word: number): Uint16Array
}

/** Questions share many of their words. A word takes two bytes for each exploration that holds it. */
const MAX_WORDS = 4000

/** Creates a view of at most 65,536 explorations. */
export const createSearchView = (
  explorations: readonly IndexedExploration[], vectorRows: VectorRowsStore
): SearchView => {
  const holders = new Map<number, Uint16Array>()
  const findHolders = (word: number): Uint16Array => {
    const places: number[] = []
    explorations.forEach(({ words }, place) => { if (placeOf(words, word) !== -1) places.push(place) })
    return Uint16Array.from(places)
  }
  return {
    explorations,
    vectors: ownedVectors(explorations.map(({ vectors }) => vectors), vectorRows),
    holdersOf: (word) => lruSet(holders, word, holders.get(word) ?? findHolders(word), MAX_WORDS)
  }
}
