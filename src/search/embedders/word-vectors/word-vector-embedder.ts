/** The embedder without a service: the sum of a text's word vectors, rare words weighted more. A pure function. */
import { setImmediate as breathe } from 'node:timers/promises'
import { asQuery, type Embedder, type EmbedOptions, type EmbeddingText } from '../../embedder.js'
import { features } from './features.js'
import { correct } from './spell-correct.js'
import { addTo, dot, hashToVector, normalize } from '../../vector.js'
import type { Vocabulary } from './vocabulary.js'

// More frequent words lose weight (Arora's smooth inverse frequency). UNKNOWN is the weight of an unknown word.
const COMMON = 0.002
const UNKNOWN = 0.5
// How much of the common direction of all words is removed. It ranks texts of common words too high, but separates
// plans from other texts.
const SHARED = 0.3
const CORRECTED_WEIGHT = 0.7
const MAX_CORRECTED = 10
const CHARACTERS_A_TURN = 5000

// What is compared of a sentence.
const WORD = /[\p{L}\p{N}]+/gu
const ASCII_WORD = /[A-Za-z0-9]+/g
const NOT_ASCII = /[^\0-\x7F]/
const MAX_TOKENS = 1000

/** In the graded set unrelated texts are seldom above the first of the scale, related ones seldom above the second. */
export const WORD_VECTORS = { id: 'builtin', scale: { unrelated: 0.25, related: 0.8 }, dimensions: 384 } as const

export interface WordVectorEmbedder extends Embedder {
  /** Creates a score of sentences against a query: higher is nearer. */
  nearTo (query: string): (sentences: readonly string[]) => Float32Array
}

export function wordVectorEmbedder (vocabulary: Vocabulary, version: string): WordVectorEmbedder {
  const { count, alone } = features(vocabulary)
  const weigh = (word: string) => vocabulary.has(word) ? COMMON / (COMMON + vocabulary.likelihood(word)) : UNKNOWN

  function countsOf ({ parts }: EmbeddingText, kind: EmbedOptions['kind']): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { text, weight } of parts) count(text, weight, counts)
    if (kind === 'query') addMeant(counts)
    return counts
  }

  function vectorOf (counts: ReadonlyMap<string, number>): Float32Array {
    const vector = new Float32Array(vocabulary.dimensions)
    for (const [word, times] of counts) {
      const weight = times < 1 ? times : 1 + Math.log(times)
      if (vocabulary.has(word)) vocabulary.add(word, weight * weigh(word), vector)
      else addTo(vector, hashToVector(word, vocabulary.dimensions), weight * weigh(word))
    }
    addTo(vector, vocabulary.common, -SHARED * dot(vector, vocabulary.common))
    return normalize(vector)
  }

  /** Corrects queries only: in documents an unknown word is a name. */
  function addMeant (counts: Map<string, number>) {
    for (const [word, times] of [...counts].filter(([word]) => !vocabulary.has(word)).slice(0, MAX_CORRECTED)) {
      const corrected = correct(word, vocabulary)
      if (corrected !== undefined) counts.set(corrected, (counts.get(corrected) ?? 0) + times * CORRECTED_WEIGHT)
    }
  }

  function nearTo (query: string) {
    const queryWords = countsOf(asQuery(query), 'query')
    const queryVector = vectorOf(queryWords)
    const scores = new Map<string, { nearness: number, square: number }>()
    const scoreToken = (token: string) => {
      const score = { nearness: 0, square: 0 }
      for (const [word, count] of alone(token)) {
        const weight = count * weigh(word)
        score.square += weight * weight
        score.nearness += weight * (vocabulary.dot(word, queryVector) ?? (queryWords.has(word) ? 1 : 0))
      }
      scores.set(token, score)
      return score
    }
    return (sentences: readonly string[]) => Float32Array.from(sentences, (sentence) => {
      let sum = 0
      let squares = 0
      const tokens = sentence.match(NOT_ASCII.test(sentence) ? WORD : ASCII_WORD)?.slice(0, MAX_TOKENS)
      for (const token of new Set(tokens)) {
        const { nearness, square } = scores.get(token) ?? scoreToken(token)
        sum += nearness
        squares += square
      }
      return squares > 0 ? sum / Math.sqrt(squares) : 0
    })
  }

  return {
    ...WORD_VECTORS,
    version,
    dimensions: vocabulary.dimensions,
    nearTo,
    async embed (texts, { kind, signal }) {
      const vectors = []
      let read = 0
      for (const text of texts) {
        signal?.throwIfAborted()
        vectors.push(vectorOf(countsOf(text, kind)))
        read += text.parts.reduce((sum, part) => sum + part.text.length, 0)
        if (read > CHARACTERS_A_TURN) {
          await breathe()
          read = 0
        }
      }
      return vectors
    }
  }
}
