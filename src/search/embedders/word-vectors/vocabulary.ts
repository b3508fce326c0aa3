/** All words with a vector: those of the lexicon, and those that are retrofitted to the groups of a thesaurus. */
import type { WordList } from './lemmatize.js'
import type { Lexicon } from './lexicon.js'
import type { RetrofittedWords } from './retrofit.js'
import { DOMAIN_STOP_WORDS } from './stop-words.js'

const DOMAIN_STOP_WORD_LIKELIHOOD = 0.006

export interface Vocabulary extends WordList {
  readonly dimensions: number
  /** The mean direction of all groups, of length 1 or zero. */
  readonly common: Float32Array
  /** Adds the word's vector to `to`, times the weight. */
  add (word: string, weight: number, to: Float32Array): void
  /** The dot product of the word's vector and another one; undefined for a word without a vector. */
  dot (word: string, other: Float32Array): number | undefined
  words (): Iterable<string>
}

/** The words of a lexicon; a retrofitted word has its new vector only. */
export function vocabulary (lexicon: Lexicon, retrofitted: RetrofittedWords): Vocabulary {
  const { common, vectors } = retrofitted
  return {
    dimensions: lexicon.dimensions,
    common,
    named (word) {
      const row = retrofitted.find(word)
      return row !== undefined && retrofitted.isTerm(row)
    },
    has: (word) => retrofitted.find(word) !== undefined || lexicon.find(word) !== undefined,
    likelihood (word) {
      if (DOMAIN_STOP_WORDS.has(word)) return DOMAIN_STOP_WORD_LIKELIHOOD
      const id = lexicon.find(word)
      return id === undefined ? 0 : lexicon.likelihood(id)
    },
    add (word, weight, to) {
      const row = retrofitted.find(word)
      if (row !== undefined) return vectors.add(row, weight, to)
      const id = lexicon.find(word)
      if (id !== undefined) lexicon.add(id, weight, to)
    },
    dot (word, other) {
      const row = retrofitted.find(word)
      if (row !== undefined) return vectors.dot(row, other)
      const id = lexicon.find(word)
      return id === undefined ? undefined : lexicon.dot(id, other)
    },
    * words () {
      yield * lexicon.words()
      yield * retrofitted.words()
    }
  }
}
