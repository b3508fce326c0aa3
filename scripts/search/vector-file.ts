// The file of word vectors: three counts, the words, a scale and a likelihood of each, then two values of 4 bits a byte.
export interface WordVectors {
  words: readonly string[]
  likelihoods: Float32Array
  /** A row of `dimensions` values for each word. */
  vectors: Float32Array
  dimensions: number
}

export function pack ({ words, likelihoods, vectors, dimensions }: WordVectors): Buffer {
  const names = Buffer.from(words.join('\n'))
  const padded = Buffer.alloc(Math.ceil(names.length / 4) * 4)
  names.copy(padded)
  const scales = new Float32Array(words.length)
  const rows = Buffer.alloc(words.length * dimensions / 2)
  words.forEach((_, w) => {
    const vector = vectors.subarray(w * dimensions, (w + 1) * dimensions)
    const scale = scales[w] = bestScale(vector)
    for (let j = 0; j < dimensions; j += 2) {
      rows[(w * dimensions + j) / 2] = level(vector[j]! / scale) | level(vector[j + 1]! / scale) << 4
    }
  })
  const counts = Uint32Array.of(words.length, dimensions, names.length)
  return Buffer.concat([bytes(counts), padded, bytes(scales), bytes(likelihoods), rows])
}

const bytes = ({ buffer, byteOffset, byteLength }: Float32Array | Uint32Array) =>
  Buffer.from(buffer, byteOffset, byteLength)

/** 1 to 15, 8 for nought. */
const level = (value: number): number => Math.max(-7, Math.min(7, Math.round(value))) + 8

/** The scale that loses least, of a few: the largest values are better cut than all others coarse. */
function bestScale (vector: Float32Array): number {
  const most = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 1e-9)
  let best = { loss: Infinity, scale: most / 7 }
  for (let part = 0.3; part <= 1; part += 0.1) {
    const scale = most * part / 7
    let loss = 0
    for (const value of vector) loss += (value - scale * (level(value / scale) - 8)) ** 2
    if (loss < best.loss) best = { loss, scale }
  }
  return best.scale
}
