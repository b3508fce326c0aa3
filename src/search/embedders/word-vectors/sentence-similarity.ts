/**
 * Scores sentences against a query. A sentence's vector is the sum of its words' vectors. Sentences that are compared
 * for the first time are scored by their words, each of which is compared with the query once; their vectors pay off
 * from the second time on.
 */
import { dotEach } from '../../vector.js'
import type { Features } from './features.js'
import type { Vocabulary } from './vocabulary.js'

const WORD = /[\p{L}\p{N}]+/gu
const ASCII_WORD = /[A-Za-z0-9]+/g
const NOT_ASCII = /[^\0-\x7F]/
// Per sentence.
const MAX_TOKENS = 1000

/** What is compared of some sentences. */
interface SentenceVectors {
  /** Of length 1, one for each sentence, one after the other. */
  vectors: Float32Array
  /** By unknown word: the sentences that it stands in, and what it adds there. */
  unknown: ReadonlyMap<string, ReadonlyArray<readonly [place: number, share: number]>>
}

/** Scores sentences: higher is nearer. */
export type ScoreSentences = (sentences: readonly string[]) => Float32Array

export interface SentenceSimilarity {
  /**
   * Creates a score of sentences. `queryWords` are the query's own words. The vectors of sentences are kept as long as
   * their array.
   */
  to (question: Float32Array, queryWords: ReadonlyMap<string, number>): ScoreSentences
}

/** `weigh` gives the weight of a word. */
export const sentenceSimilarity = (
  { alone }: Pick<Features, 'alone'>, vocabulary: Pick<Vocabulary, 'add' | 'dimensions' | 'dot' | 'has'>,
  weigh: (word: string) => number
): SentenceSimilarity => {
  const compared = new WeakSet<readonly string[]>()
  const stored = new WeakMap<readonly string[], SentenceVectors>()

  /** By the words of the sentences. */
  const scoreByWords = (question: Float32Array, queryWords: ReadonlyMap<string, number>): ScoreSentences => {
    const tokens = new Map<string, { nearness: number, square: number }>()
    const scoreToken = (token: string): { nearness: number, square: number } => {
      let nearness = 0
      let square = 0
      for (const [word, count] of alone(token)) {
        const weight = count * weigh(word)
        square += weight * weight
        nearness += weight * (vocabulary.dot(word, question) ?? (queryWords.has(word) ? 1 : 0))
      }
      const score = { nearness, square }
      tokens.set(token, score)
      return score
    }
    return (sentences) => Float32Array.from(sentences, (sentence) => {
      let sum = 0
      let squares = 0
      for (const token of tokensOf(sentence)) {
        const { nearness, square } = tokens.get(token) ?? scoreToken(token)
        sum += nearness
        squares += square
      }
      return squares > 0 ? sum / Math.sqrt(squares) : 0
    })
  }

  const vectorsOf = (sentences: readonly string[]): SentenceVectors => {
    const unknown = new Map<string, Array<readonly [place: number, share: number]>>()
    const { dimensions } = vocabulary
    const vectors = new Float32Array(sentences.length * dimensions)
    sentences.forEach((sentence, place) => {
      const vector = vectors.subarray(place * dimensions, (place + 1) * dimensions)
      const others: Array<readonly [word: string, weight: number]> = []
      let squares = 0
      for (const token of tokensOf(sentence)) {
        for (const [word, count] of alone(token)) {
          const weight = count * weigh(word)
          squares += weight * weight
          if (vocabulary.has(word)) vocabulary.add(word, weight, vector)
          else others.push([word, weight])
        }
      }
      const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0
      for (const [word, weight] of others) {
        const shares = unknown.get(word) ?? []
        shares.push([place, weight * scale])
        unknown.set(word, shares)
      }
      vector.forEach((value, at) => { vector[at] = value * scale })
    })
    return { vectors, unknown }
  }

  const scoreByVectors = (
    { vectors, unknown }: SentenceVectors, question: Float32Array, queryWords: ReadonlyMap<string, number>
  ): Float32Array => {
    const scores = dotEach(vectors, question)
    for (const word of queryWords.keys()) {
      for (const [place, share] of unknown.get(word) ?? []) scores[place] = (scores[place] ?? 0) + share
    }
    return scores
  }

  return {
    to (question, queryWords) {
      const byWords = scoreByWords(question, queryWords)
      return (sentences) => {
        let vectors = stored.get(sentences)
        if (!vectors) {
          if (!compared.has(sentences)) {
            compared.add(sentences)
            return byWords(sentences)
          }
          vectors = vectorsOf(sentences)
          stored.set(sentences, vectors)
        }
        return scoreByVectors(vectors, question, queryWords)
      }
    }
  }
}

const tokensOf = (sentence: string): Set<string> =>
  new Set(sentence.match(NOT_ASCII.test(sentence) ? WORD : ASCII_WORD)?.slice(0, MAX_TOKENS))
