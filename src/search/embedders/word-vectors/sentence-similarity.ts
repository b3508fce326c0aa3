/**
 * Scores sentences against a query. A sentence's vector is the sum of its words' vectors; one byte per number is
 * precise enough to compare them.
 */
import type { Features } from './features.js'
import { int8Vectors, type Int8Vectors } from './int8-vectors.js'
import type { Vocabulary } from './vocabulary.js'

const WORD = /[\p{L}\p{N}]+/gu
const ASCII_WORD = /[A-Za-z0-9]+/g
const NOT_ASCII = /[^\0-\x7F]/
// Per sentence.
const MAX_TOKENS = 1000

/** What is compared of some sentences. */
interface SentenceVectors {
  /** A row for each sentence. */
  vectors: Int8Vectors
  /** By unknown word: the sentences that it stands in, and what it adds there. */
  unknown: ReadonlyMap<string, ReadonlyArray<readonly [place: number, share: number]>>
}

export interface SentenceSimilarity {
  /**
   * Creates a score of sentences: higher is nearer. `queryWords` are the query's own words. The vectors of sentences
   * are kept as long as their array.
   */
  to (
    question: Float32Array, queryWords: ReadonlyMap<string, number>
  ): (sentences: readonly string[]) => Float32Array
}

/** `weigh` gives the weight of a word. */
export const sentenceSimilarity = (
  { alone }: Pick<Features, 'alone'>, vocabulary: Pick<Vocabulary, 'add' | 'dimensions' | 'has'>,
  weigh: (word: string) => number
): SentenceSimilarity => {
  const read = new WeakMap<readonly string[], SentenceVectors>()

  const readSentences = (sentences: readonly string[]): SentenceVectors => {
    const vectors = int8Vectors(sentences.length, vocabulary.dimensions)
    const unknown = new Map<string, Array<readonly [place: number, share: number]>>()
    sentences.forEach((sentence, place) => {
      const tokens = new Set(sentence.match(NOT_ASCII.test(sentence) ? WORD : ASCII_WORD)?.slice(0, MAX_TOKENS))
      const vector = new Float32Array(vocabulary.dimensions)
      const others: Array<readonly [word: string, weight: number]> = []
      let squares = 0
      for (const token of tokens) {
        let square = 0
        for (const [word, count] of alone(token)) {
          const weight = count * weigh(word)
          square += weight * weight
          if (vocabulary.has(word)) vocabulary.add(word, weight, vector)
          else others.push([word, weight])
        }
        squares += square
      }
      const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0
      vectors.set(place, vector.map((value) => value * scale))
      for (const [word, weight] of others) {
        const shares = unknown.get(word) ?? []
        shares.push([place, weight * scale])
        unknown.set(word, shares)
      }
    })
    return { vectors, unknown }
  }

  return {
    to: (question, queryWords) => (sentences) => {
      let known = read.get(sentences)
      if (!known) read.set(sentences, known = readSentences(sentences))
      const { vectors, unknown } = known
      const scores = Float32Array.from(sentences, (_, place) => vectors.dot(place, question))
      for (const word of queryWords.keys()) {
        for (const [place, share] of unknown.get(word) ?? []) scores[place] = (scores[place] ?? 0) + share
      }
      return scores
    }
  }
}
