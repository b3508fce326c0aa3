/** Scores sentences against a query by the vectors of their words, each of which is compared with the query once. */
import type { Features } from './features.js'
import type { Vocabulary } from './vocabulary.js'

const WORD = /[\p{L}\p{N}]+/gu
const ASCII_WORD = /[A-Za-z0-9]+/g
const NOT_ASCII = /[^\0-\x7F]/
// Per sentence.
const MAX_TOKENS = 1000

/** Higher is nearer. */
export type ScoreSentences = (sentences: readonly string[]) => Float32Array

/**
 * Creates a score of sentences.
 * @param weigh gives the weight of a word
 * @param queryWords the query's own words
 */
export const sentenceSimilarity = (
  { alone }: Pick<Features, 'alone'>, vocabulary: Pick<Vocabulary, 'dot'>, weigh: (word: string) => number,
  queryVector: Float32Array, queryWords: ReadonlyMap<string, number>
): ScoreSentences => {
  const scores = new Map<string, { nearness: number, square: number }>()

  const scoreToken = (token: string): { nearness: number, square: number } => {
    let nearness = 0
    let square = 0
    for (const [word, count] of alone(token)) {
      const weight = count * weigh(word)
      square += weight * weight
      nearness += weight * (vocabulary.dot(word, queryVector) ?? (queryWords.has(word) ? 1 : 0))
    }
    const score = { nearness, square }
    scores.set(token, score)
    return score
  }

  return (sentences) => Float32Array.from(sentences, (sentence) => {
    let sum = 0
    let squares = 0
    for (const token of tokensOf(sentence)) {
      const { nearness, square } = scores.get(token) ?? scoreToken(token)
      sum += nearness
      squares += square
    }
    return squares > 0 ? sum / Math.sqrt(squares) : 0
  })
}

const tokensOf = (sentence: string): Set<string> =>
  new Set(sentence.match(NOT_ASCII.test(sentence) ? WORD : ASCII_WORD)?.slice(0, MAX_TOKENS))
