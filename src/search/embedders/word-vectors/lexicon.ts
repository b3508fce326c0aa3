/** Reads the file of WordNet's words: counts, words, a scale and a likelihood of each, two values of 4 bits a byte. */
import type { ByteSource } from './byte-source.js'
import { wordIndex } from './word-index.js'

/** Three counts of four bytes. */
const HEAD_BYTES = 12
const FLOAT_BYTES = 4

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
 * Reads the words. Their vectors stay where they are until they are needed.
 * @throws {Error} when the file is cut short
 */
export function readLexicon (file: ByteSource): Lexicon {
  const [count = 0, dimensions = 0, length = 0] = new Uint32Array(file.read(0, HEAD_BYTES).buffer)
  const scalesAt = HEAD_BYTES + Math.ceil(length / 4) * 4
  const likelihoodsAt = scalesAt + count * FLOAT_BYTES
  const rowsAt = likelihoodsAt + count * FLOAT_BYTES
  const rowBytes = dimensions / 2
  if (file.length !== rowsAt + count * rowBytes) throw new Error('the file of word vectors is cut short')
  const scales = new Float32Array(file.read(scalesAt, likelihoodsAt).buffer)
  const likelihoods = new Float32Array(file.read(likelihoodsAt, rowsAt).buffer)
  const index = wordIndex(file.read(HEAD_BYTES, HEAD_BYTES + length), count)
  const rows = file.rows(rowsAt, rowBytes)
  const { bytes } = rows
  return {
    dimensions,
    find: index.find,
    likelihood: (word) => likelihoods[word] ?? 0,
    words: index.words,
    add (word, weight, to) {
      const scale = (scales[word] ?? 0) * weight
      for (let from = rows.place(word), j = 0; j < dimensions; from++, j += 2) {
        const byte = bytes[from]!
        to[j]! += scale * ((byte & 15) - 8)
        to[j + 1]! += scale * ((byte >> 4) - 8)
      }
    },
    dot (word, other) {
      let sum = 0
      for (let from = rows.place(word), j = 0; j < dimensions; from++, j += 2) {
        const byte = bytes[from]!
        sum += other[j]! * ((byte & 15) - 8) + other[j + 1]! * ((byte >> 4) - 8)
      }
      return sum * (scales[word] ?? 0)
    }
  }
}
