/** How near sentences are to a question: its nearness to their words, added up, which takes a fraction of the time of a vector each. */
import type { Features } from './features.js'
import type { Vocabulary } from './vocabulary.js'

const WORD = /[\p{L}\p{N}]+/gu

/** The higher, the nearer. `weigh` tells how much a word counts; `said` holds the question's own words. */
export const nearness = (question: Float32Array, said: ReadonlyMap<string, number>, { alone }: Pick<Features, 'alone'>,
  vocabulary: Pick<Vocabulary, 'dot' | 'has'>, weigh: (word: string) => number): (sentence: string) => number => {
  const known = new Map<string, readonly [near: number, square: number]>()

  const read = (token: string): readonly [near: number, square: number] => {
    let [near, square] = [0, 0]
    for (const [word, count] of alone(token)) {
      const weight = count * weigh(word)
      near += weight * (vocabulary.has(word) ? vocabulary.dot(word, question) : said.has(word) ? 1 : 0)
      square += weight * weight
    }
    return [near, square]
  }

  return (sentence) => {
    let [near, square] = [0, 0]
    for (const token of new Set(sentence.match(WORD))) {
      let of = known.get(token)
      if (!of) known.set(token, of = read(token))
      near += of[0]
      square += of[1]
    }
    return square > 0 ? near / Math.sqrt(square) : 0
  }
}
