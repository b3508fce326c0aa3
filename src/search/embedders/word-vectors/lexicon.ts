/** Reads the file of WordNet's words with vectors and frequencies, as scripts/search/vector-file.ts packs it. */
import { wordIndex } from './word-index.js'

export interface Lexicon {
  readonly dimensions: number
  /** The word's number; undefined for an unknown word. */
  find (word: string): number | undefined
  /** The word's frequency in English, 0 to 1. */
  likelihood (word: number): number
  /** Adds the word's vector to `to`, times the weight. */
  add (word: number, weight: number, to: Float32Array): void
  /** The dot product of the word's vector and another one. */
  dot (word: number, other: Float32Array): number
  words (): Iterable<string>
}

/**
 * Reads the file without copying its vectors.
 * @throws {Error} when it is cut short
 */
export function readLexicon (file: Uint8Array): Lexicon {
  const cut = (from: number, to: number) => file.buffer.slice(file.byteOffset + from, file.byteOffset + to)
  const [count = 0, dimensions = 0, length = 0] = new Uint32Array(cut(0, 12))
  const start = 12 + Math.ceil(length / 4) * 4
  const rows = start + count * 8
  if (file.length !== rows + count * dimensions / 2) throw new Error('the file of word vectors is cut short')
  const scales = new Float32Array(cut(start, start + count * 4))
  const likelihoods = new Float32Array(cut(start + count * 4, rows))
  const index = wordIndex(file.subarray(12, 12 + length), count)
  return {
    dimensions,
    find: index.find,
    likelihood: (word) => likelihoods[word] ?? 0,
    words: index.words,
    add (word, weight, to) {
      const scale = (scales[word] ?? 0) * weight
      for (let from = rows + word * dimensions / 2, j = 0; j < dimensions; from++, j += 2) {
        const byte = file[from]!
        to[j]! += scale * ((byte & 15) - 8)
        to[j + 1]! += scale * ((byte >> 4) - 8)
      }
    },
    dot (word, other) {
      let sum = 0
      for (let from = rows + word * dimensions / 2, j = 0; j < dimensions; from++, j += 2) {
        const byte = file[from]!
        sum += other[j]! * ((byte & 15) - 8) + other[j + 1]! * ((byte >> 4) - 8)
      }
      return sum * (scales[word] ?? 0)
    }
  }
}
