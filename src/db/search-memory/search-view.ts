/** The explorations that a caller sees, with what was computed of them for earlier questions. */
import { lruSet } from '../../lib/lru.js'
import { placeOf, type IndexedExploration, type IndexedVector } from './indexed-exploration.js'

/** A vector with the place of its exploration. */
export interface OwnedVector extends IndexedVector { owner: number }

export interface SearchView {
  explorations: readonly IndexedExploration[]
  /** Those of all explorations, in their order. */
  vectors: readonly OwnedVector[]
  /** Places, ascending, of the explorations that hold the word of this number. */
  holdersOf (word: number): Uint16Array
}

/** Questions share many of their words. A word takes two bytes for each exploration that holds it. */
const MAX_WORDS = 4000

/** Creates a view of at most 65,536 explorations. */
export const createSearchView = (explorations: readonly IndexedExploration[]): SearchView => {
  const holders = new Map<number, Uint16Array>()
  const findHolders = (word: number): Uint16Array => {
    const places: number[] = []
    explorations.forEach(({ words }, place) => { if (placeOf(words, word) !== -1) places.push(place) })
    return Uint16Array.from(places)
  }
  return {
    explorations,
    vectors: explorations.flatMap(({ vectors }, owner) =>
      vectors.map(({ numbers, square }) => ({ numbers, square, owner }))),
    holdersOf: (word) => lruSet(holders, word, holders.get(word) ?? findHolders(word), MAX_WORDS)
  }
}
