/** Remembers the stems that the database made of single words. Words that are not stemmed need not be remembered. */
import { lruSet } from '../../lib/lru.js'

/** A stem as `english_stem` makes it; null for a stop word. */
export type Stem = string | null

/** Others, such as v2, 1.5 and and/or, are of types of tokens that the configuration `english` takes as they are. */
const STEMMED = /^[a-z-]+$/

export interface WordStems {
  /** Returns the words whose stems the database has to tell, each once. */
  unknown (words: readonly string[]): string[]
  /** Returns the stems without stop words, each once, in the order of the words; undefined when one is not known. */
  stemsOf (words: readonly string[]): string[] | undefined
  /** Remembers stems, in the order of their words. */
  add (words: readonly string[], stems: readonly Stem[]): void
}

const MAX_WORDS = 20_000

/** Creates an empty memory of at most 20,000 words, without those that were added the longest ago. */
export const createWordStems = (): WordStems => {
  const known = new Map<string, Stem>()
  const stemOf = (word: string): Stem | undefined => STEMMED.test(word) ? known.get(word) : word
  return {
    unknown: (words) => [...new Set(words)].filter((word) => stemOf(word) === undefined),
    stemsOf (words) {
      const stems = new Set<string>()
      for (const word of words) {
        const stem = stemOf(word)
        if (stem === undefined) return undefined
        if (stem !== null) stems.add(stem)
      }
      return [...stems]
    },
    add (words, stems) {
      words.forEach((word, place) => { lruSet(known, word, stems[place] ?? null, MAX_WORDS) })
    }
  }
}
