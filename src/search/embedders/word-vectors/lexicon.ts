/** Reads the file of WordNet's words: counts, words, a scale and a likelihood of each, two values of 4 bits a byte. */

/** Three counts of four bytes. */
const HEAD_BYTES = 12
const FLOAT_BYTES = 4

export interface Lexicon {
  readonly dimensions: number
  find (word: string): number | undefined
  likelihood (word: number): number
  /** Adds the word's vector to `to`, times the weight. */
  add (word: number, weight: number, to: Float32Array): void
  dot (word: number, other: Float32Array): number
  words (): Iterable<string>
}

/** @throws {Error} when the file is cut short */
export function readLexicon (file: Buffer): Lexicon {
  const count = file.readUInt32LE(0)
  const dimensions = file.readUInt32LE(FLOAT_BYTES)
  const length = file.readUInt32LE(2 * FLOAT_BYTES)
  const scalesAt = HEAD_BYTES + Math.ceil(length / 4) * 4
  const likelihoodsAt = scalesAt + count * FLOAT_BYTES
  const rowsAt = likelihoodsAt + count * FLOAT_BYTES
  const rowBytes = dimensions / 2
  if (file.length !== rowsAt + count * rowBytes) throw new Error('the file of word vectors is cut short')
  const floats = (from: number, to: number) => new Float32Array(Uint8Array.from(file.subarray(from, to)).buffer)
  const scales = floats(scalesAt, likelihoodsAt)
  const likelihoods = floats(likelihoodsAt, rowsAt)
  const list = file.toString('utf8', HEAD_BYTES, HEAD_BYTES + length).split('\n')
  const numbers = new Map(list.map((word, number) => [word, number]))
  return {
    dimensions,
    find: (word) => numbers.get(word),
    likelihood: (word) => likelihoods[word] ?? 0,
    words: () => list,
    add (word, weight, to) {
      const scale = (scales[word] ?? 0) * weight
      for (let from = rowsAt + word * rowBytes, j = 0; j < dimensions; from++, j += 2) {
        const byte = file[from]!
        to[j]! += scale * ((byte & 15) - 8)
        to[j + 1]! += scale * ((byte >> 4) - 8)
      }
    },
    dot (word, other) {
      let sum = 0
      for (let from = rowsAt + word * rowBytes, j = 0; j < dimensions; from++, j += 2) {
        const byte = file[from]!
        sum += other[j]! * ((byte & 15) - 8) + other[j + 1]! * ((byte >> 4) - 8)
      }
      return sum * (scales[word] ?? 0)
    }
  }
}
