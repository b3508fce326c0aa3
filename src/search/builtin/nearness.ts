/** How near sentences are to a question: its nearness to their words, added up, which takes a fraction of the time of a vector each. */
import { remember } from '../../remember.js'
import type { Features } from './features.js'
import type { Vocabulary } from './vocabulary.js'

const WORD = /[\p{L}\p{N}]+/gu
const ASCII_WORD = /[A-Za-z0-9]+/g
const NOT_ASCII = /[^\0-\x7F]/
const REMEMBERED = 20_000

/** A word as any question finds it. */
interface Heard {
  word: string
  weight: number
  /** Absent when nobody knows it. */
  near: ((question: Float32Array) => number) | undefined
}

/** What a word of a sentence adds for one question, and the last sentence that it was added for. */
interface Told {
  near: number
  square: number
  sentence: number
}

export interface Nearness {
  /** The higher, the nearer. `said` holds the question's own words. */
  to (question: Float32Array, said: ReadonlyMap<string, number>): (sentence: string) => number
}

/** `weigh` tells how much a word counts. */
export const nearness = ({ alone }: Pick<Features, 'alone'>, vocabulary: Pick<Vocabulary, 'nearness'>, weigh: (word: string) => number): Nearness => {
  const heard = new Map<string, readonly Heard[]>()

  const hear = (token: string): readonly Heard[] => heard.get(token) ?? remember(heard, token,
    alone(token).map(([word, count]) => ({ word, weight: count * weigh(word), near: vocabulary.nearness(word) })), REMEMBERED)

  return {
    to (question, said) {
      const known = new Map<string, Told>()
      let sentences = 0

      const read = (token: string): Told => {
        const told = { near: 0, square: 0, sentence: 0 }
        for (const { word, weight, near } of hear(token)) {
          told.near += weight * (near ? near(question) : said.has(word) ? 1 : 0)
          told.square += weight * weight
        }
        return told
      }

      return (sentence) => {
        let near = 0
        let square = 0
        sentences++
        for (const token of sentence.match(NOT_ASCII.test(sentence) ? WORD : ASCII_WORD) ?? []) {
          let told = known.get(token)
          if (!told) known.set(token, told = read(token))
          if (told.sentence === sentences) continue
          told.sentence = sentences
          near += told.near
          square += told.square
        }
        return square > 0 ? near / Math.sqrt(square) : 0
      }
    }
  }
}
