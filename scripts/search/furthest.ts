// Tells how far two files of word vectors differ in what they say: which words there are, and how alike any two of them are.
import type { Lexicon } from '../../src/search/embedders/word-vectors/lexicon.js'
import { normalize } from '../../src/search/vector.js'

const PAIRS = 200_000

/** The greatest difference between the cosines of a word and another of the same place in both; infinite when the words differ. */
export function furthest (a: Lexicon, b: Lexicon): number {
  const words = [...a.words()]
  if (words.join() !== [...b.words()].join()) return Infinity
  let most = 0
  for (let pair = 0; pair < PAIRS; pair++) {
    // Steps that visit every word, beside near and far ones.
    const [first, second] = [pair % words.length, (pair * 7919 + 1 + Math.floor(pair / words.length)) % words.length]
    most = Math.max(most, Math.abs(cosine(a, first, second) - cosine(b, first, second)))
  }
  return most
}

function cosine (lexicon: Lexicon, first: number, second: number): number {
  const [x, y] = [first, second].map((word) => {
    const vector = new Float32Array(lexicon.dimensions)
    lexicon.add(word, 1, vector)
    return normalize(vector)
  })
  return x!.reduce((sum, value, i) => sum + value * y![i]!, 0)
}
