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
  add (word: string, weight: number, to: Float32Array): void
  /** The dot product of the word's vector and another one; undefined for a word without a vector. */
  dot (word: string, other: Float32Array): number | undefined
  words (): Iterable<string>
}

/** The words of a lexicon; a retrofitted word has its new vector only. */
export function vocabulary (
  lexicon: Lexicon, { rows, terms, numbers, scales, common }: RetrofittedWords
): Vocabulary {
  const { dimensions } = lexicon
  return {
    dimensions,
    common,
    named: (word) => terms.has(word),
    has: (word) => rows.has(word) || lexicon.find(word) !== undefined,
    likelihood (word) {
      if (DOMAIN_STOP_WORDS.has(word)) return DOMAIN_STOP_WORD_LIKELIHOOD
      const id = lexicon.find(word)
      return id === undefined ? 0 : lexicon.likelihood(id)
    },
    add (word, weight, to) {
      const row = rows.get(word)
      const id = row === undefined ? lexicon.find(word) : undefined
      if (id !== undefined) lexicon.add(id, weight, to)
      if (row === undefined) return
      const scale = scales[row]! * weight
      for (let from = row * dimensions, i = 0; i < dimensions; from++, i++) to[i]! += scale * numbers[from]!
    },
    dot (word, other) {
      const row = rows.get(word)
      const id = row === undefined ? lexicon.find(word) : undefined
      if (row === undefined) return id === undefined ? undefined : lexicon.dot(id, other)
      // Two sums, since each addition waits for the previous one.
      let even = 0
      let odd = 0
      for (let from = row * dimensions, i = 0; i < dimensions; from += 2, i += 2) {
        even += numbers[from]! * other[i]!
        odd += numbers[from + 1]! * other[i + 1]!
      }
      return (even + odd) * scales[row]!
    },
    * words () {
      yield * lexicon.words()
      yield * rows.keys()
    }
  }
}
