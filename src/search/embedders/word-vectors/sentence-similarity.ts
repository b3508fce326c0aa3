/** Scores sentences against a query: the sum of their words' scores, much faster than a vector per sentence. */
import { lruSet } from '../../../lib/lru.js'
import type { Features } from './features.js'
import { int8Vectors } from './int8-vectors.js'
import type { Vocabulary } from './vocabulary.js'

const WORD = /[\p{L}\p{N}]+/gu
const ASCII_WORD = /[A-Za-z0-9]+/g
const NOT_ASCII = /[^\0-\x7F]/
const MAX_WORDS = 8192
const MAX_SENTENCES = 10_000
// Per sentence.
const MAX_TOKENS = 1000

/** Cached token: row in the vector table, squared weight. */
interface TokenScore {
  /** Row of its vector in the table. */
  row: number
  square: number
  /** Its unknown words with their weights. */
  unknown: ReadonlyArray<readonly [word: string, weight: number]>
}

export interface SentenceSimilarity {
  /** Creates a score of sentences: higher is nearer. `queryWords` are the query's own words, with weights. */
  to (question: Float32Array, queryWords: ReadonlyMap<string, number>): (sentence: string) => number
}

/** `weigh` gives the weight of a word. Words and sentences are cached, because searches find the same texts again. */
export const sentenceSimilarity = (
  { alone }: Pick<Features, 'alone'>, vocabulary: Pick<Vocabulary, 'add' | 'dimensions' | 'has'>,
  weigh: (word: string) => number
): SentenceSimilarity => {
  const vectors = int8Vectors(MAX_WORDS, vocabulary.dimensions)
  const words = new Map<string, TokenScore>()
  const sentences = new Map<string, readonly TokenScore[]>()
  // By row: the word's score, and the query that it is for.
  const near = new Float32Array(MAX_WORDS)
  const scoredFor = new Uint32Array(MAX_WORDS)
  let questions = 0

  const readToken = (token: string): TokenScore => {
    const vector = new Float32Array(vocabulary.dimensions)
    const unknown: Array<[string, number]> = []
    let square = 0
    for (const [word, count] of alone(token)) {
      const weight = count * weigh(word)
      square += weight * weight
      if (vocabulary.has(word)) vocabulary.add(word, weight, vector)
      else unknown.push([word, weight])
    }
    const read = { row: words.size, square, unknown }
    vectors.set(read.row, vector)
    words.set(token, read)
    return read
  }

  const readSentence = (sentence: string): readonly TokenScore[] => {
    const tokens = [...new Set(sentence.match(NOT_ASCII.test(sentence) ? WORD : ASCII_WORD)?.slice(0, MAX_TOKENS))]
    if (words.size + tokens.length > MAX_WORDS) {
      words.clear()
      sentences.clear()
      scoredFor.fill(0)
    }
    const read = tokens.map((token) => words.get(token) ?? readToken(token)).filter(({ square }) => square > 0)
    return lruSet(sentences, sentence, read, MAX_SENTENCES)
  }

  return {
    to (question, queryWords) {
      const questionId = ++questions
      const score = ({ row, unknown }: TokenScore): number => {
        scoredFor[row] = questionId
        const cosine = vectors.dot(row, question)
        near[row] = unknown.reduce((sum, [word, weight]) => queryWords.has(word) ? sum + weight : sum, cosine)
        return near[row]
      }
      return (sentence) => {
        let sum = 0
        let squares = 0
        for (const read of sentences.get(sentence) ?? readSentence(sentence)) {
          sum += scoredFor[read.row] === questionId ? near[read.row]! : score(read)
          squares += read.square
        }
        return squares > 0 ? sum / Math.sqrt(squares) : 0
      }
    }
  }
}
