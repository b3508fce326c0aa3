/** All words with a vector: those of the lexicon, retrofitted to the groups of the thesaurus. */
import type { WordList } from './lemmatize.js'
import { DOMAIN_STOP_WORDS } from './domain-stop-words.js'
import type { Lexicon } from './lexicon.js'
import { STOP_WORDS } from './stop-words.js'
import { addTo, hashed, unit } from './vector.js'

// How strongly a group attracts its words; the weight of the group's own meaning; the weight of a word inside a term.
const ATTRACTION = 2
const GROUP_IDENTITY = 0.25
const INNER_WORD_WEIGHT = 0.25
const DOMAIN_STOP_WORD_LIKELIHOOD = 0.006

export interface Vocabulary extends WordList {
  readonly dimensions: number
  /** The mean direction of all groups, of length 1 or zero. */
  readonly common: Float32Array
  /** Adds the word's vector to `to`, times the weight. */
  add (word: string, weight: number, to: Float32Array): void
  words (): Iterable<string>
}

/** Moves the words of each group towards each other, so that synonyms get similar vectors. */
export function vocabulary (lexicon: Lexicon, groups: readonly (readonly string[])[]): Vocabulary {
  const drawn = retrofit(lexicon, groups)
  const terms = new Set(groups.flat())
  return {
    dimensions: lexicon.dimensions,
    common: sumOf(drawn.values(), lexicon.dimensions),
    named: (word) => terms.has(word),
    has: (word) => drawn.has(word) || lexicon.find(word) !== undefined,
    likelihood (word) {
      if (DOMAIN_STOP_WORDS.has(word)) return DOMAIN_STOP_WORD_LIKELIHOOD
      const id = lexicon.find(word)
      return id === undefined ? 0 : lexicon.likelihood(id)
    },
    add (word, weight, to) {
      const own = drawn.get(word)
      if (own) return addTo(to, own, weight)
      const id = lexicon.find(word)
      if (id !== undefined) lexicon.add(id, weight, to)
    },
    * words () {
      yield * lexicon.words()
      yield * drawn.keys()
    }
  }
}

function sumOf (vectors: Iterable<Float32Array>, dimensions: number): Float32Array {
  const sum = new Float32Array(dimensions)
  for (const vector of vectors) addTo(sum, vector, 1)
  return unit(sum)
}

function retrofit (lexicon: Lexicon, groups: readonly (readonly string[])[]) {
  const pulls = new Map<string, { sum: Float32Array, times: number }>()
  for (const terms of groups) {
    const members = membersOf(terms)
    const centre = new Float32Array(lexicon.dimensions)
    for (const [word, weight] of members) {
      const id = lexicon.find(word)
      if (id !== undefined) lexicon.add(id, weight, centre)
    }
    addTo(unit(centre), hashed(terms.join(), lexicon.dimensions), GROUP_IDENTITY)
    unit(centre)
    for (const [word, weight] of members) {
      const pull = pulls.get(word) ?? { sum: new Float32Array(lexicon.dimensions), times: 0 }
      addTo(pull.sum, centre, weight)
      pull.times += weight
      pulls.set(word, pull)
    }
  }
  const drawn = new Map<string, Float32Array>()
  for (const [word, { sum, times }] of pulls) {
    for (let i = 0; i < sum.length; i++) sum[i]! *= ATTRACTION / Math.max(Math.sqrt(times), 1)
    const id = lexicon.find(word)
    if (id !== undefined) lexicon.add(id, 1, sum)
    drawn.set(word, unit(sum))
  }
  return drawn
}

/** The terms of a group with weight 1, and the words inside its phrases with less. */
function membersOf (terms: readonly string[]): Map<string, number> {
  const members = new Map<string, number>()
  for (const term of terms) {
    const words = term.includes('_') ? term.split('_') : []
    for (const word of words) {
      if (!STOP_WORDS.has(word)) members.set(word, Math.max(members.get(word) ?? 0, INNER_WORD_WEIGHT))
    }
  }
  for (const term of terms) members.set(term, 1)
  return members
}
