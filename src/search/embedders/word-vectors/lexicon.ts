/** WordNet's words with their vectors and frequencies, as scripts/search/vector-file.ts packs them. */
export interface Lexicon {
  readonly dimensions: number
  /** The word's number, or undefined. */
  find (word: string): number | undefined
  /** How likely a word of running English is this one. */
  likelihood (word: number): number
  /** Adds the word's vector, times the weight. */
  add (word: number, weight: number, to: Float32Array): void
  words (): Iterable<string>
}

export function readLexicon (file: Uint8Array): Lexicon {
  const cut = (from: number, to: number) => file.buffer.slice(file.byteOffset + from, file.byteOffset + to)
  const [count = 0, dimensions = 0, length = 0] = new Uint32Array(cut(0, 12))
  const start = 12 + Math.ceil(length / 4) * 4
  const rows = start + count * 8
  if (file.length !== rows + count * dimensions / 2) throw new Error('the file of word vectors is cut short')
  const scales = new Float32Array(cut(start, start + count * 4))
  const likelihoods = new Float32Array(cut(start + count * 4, rows))
  const index = new Map(new TextDecoder().decode(file.subarray(12, 12 + length)).split('\n').map((word, i) => [word, i]))
  return {
    dimensions,
    find: (word) => index.get(word),
    likelihood: (word) => likelihoods[word] ?? 0,
    words: () => index.keys(),
    add (word, weight, to) {
      const scale = (scales[word] ?? 0) * weight
      for (let from = rows + word * dimensions / 2, j = 0; j < dimensions; from++, j += 2) {
        const byte = file[from]!
        to[j]! += scale * ((byte & 15) - 8)
        to[j + 1]! += scale * ((byte >> 4) - 8)
      }
    }
  }
}
