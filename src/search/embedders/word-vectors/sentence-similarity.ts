/** How near sentences are to a question: its nearness to their words, added up, which takes a fraction of the time of a vector each. */
import { remember } from '../../../lib/lru.js'
import type { Features } from './features.js'
import { shortVectors } from './int8-vectors.js'
import type { Vocabulary } from './vocabulary.js'

const WORD = /[\p{L}\p{N}]+/gu
const ASCII_WORD = /[A-Za-z0-9]+/g
const NOT_ASCII = /[^\0-\x7F]/
const MOST_WORDS = 8192
const MOST_SENTENCES = 10_000
// Of one sentence.
const LONGEST = 1000

/** A word as any question finds it. */
interface Heard {
  /** Of its vector. */
  place: number
  square: number
  /** With their weights, what nobody knows of it. */
  unknown: ReadonlyArray<readonly [word: string, weight: number]>
}

export interface Nearness {
  /** The higher, the nearer. `said` holds the question's own words. */
  to (question: Float32Array, said: ReadonlyMap<string, number>): (sentence: string) => number
}

/** `weigh` tells how much a word counts. Words and sentences that were read are remembered: what is found is mostly found again. */
export const nearness = (
  { alone }: Pick<Features, 'alone'>, vocabulary: Pick<Vocabulary, 'add' | 'dimensions' | 'has'>, weigh: (word: string) => number
): Nearness => {
  const vectors = shortVectors(MOST_WORDS, vocabulary.dimensions)
  const words = new Map<string, Heard>()
  const sentences = new Map<string, readonly Heard[]>()
  // By place, how near the word is to a question, and to which.
  const near = new Float32Array(MOST_WORDS)
  const asked = new Uint32Array(MOST_WORDS)
  let questions = 0

  const hearWord = (token: string): Heard => {
    const vector = new Float32Array(vocabulary.dimensions)
    const unknown: Array<[string, number]> = []
    let square = 0
    for (const [word, count] of alone(token)) {
      const weight = count * weigh(word)
      square += weight * weight
      if (vocabulary.has(word)) vocabulary.add(word, weight, vector)
      else unknown.push([word, weight])
    }
    const heard = { place: words.size, square, unknown }
    vectors.set(heard.place, vector)
    words.set(token, heard)
    return heard
  }

  const hear = (sentence: string): readonly Heard[] => {
    const tokens = [...new Set(sentence.match(NOT_ASCII.test(sentence) ? WORD : ASCII_WORD)?.slice(0, LONGEST))]
    if (words.size + tokens.length > MOST_WORDS) {
      words.clear()
      sentences.clear()
      asked.fill(0)
    }
    const heard = tokens.map((token) => words.get(token) ?? hearWord(token)).filter(({ square }) => square > 0)
    return remember(sentences, sentence, heard, MOST_SENTENCES)
  }

  return {
    to (question, said) {
      const me = ++questions
      const tell = ({ place, unknown }: Heard): number => {
        asked[place] = me
        near[place] = unknown.reduce((sum, [word, weight]) => said.has(word) ? sum + weight : sum, vectors.dot(place, question))
        return near[place]
      }
      return (sentence) => {
        let sum = 0
        let squares = 0
        for (const heard of sentences.get(sentence) ?? hear(sentence)) {
          sum += asked[heard.place] === me ? near[heard.place]! : tell(heard)
          squares += heard.square
        }
        return squares > 0 ? sum / Math.sqrt(squares) : 0
      }
    }
  }
}
