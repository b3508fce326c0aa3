/** Holds vectors as they are multiplied with a question's: all in one memory of WebAssembly. */
import { BLOCK, createProductKernel } from './product-kernel.js'

/** Vectors of one length. */
export interface VectorRows {
  /** The product of each with another one, in single precision; to be read before the next call. */
  productsWith (vector: Float32Array): Float32Array
}

export interface VectorRowsStore {
  /** Vectors are copied when their products are wanted, and again when others have taken their place. */
  rowsOf (vectors: readonly Float32Array[]): VectorRows
  /** Nothing of before is needed any more. */
  clear (): void
}

const BYTES = Float32Array.BYTES_PER_ELEMENT
const PAGE_BYTES = 65_536
/** 16 MB: ten callers who each see 1,000 others. More only for one who sees so much. */
const MAX_NUMBERS = 4_000_000

/**
 * Creates an empty store. It is one memory because each one of WebAssembly reserves 10 GB of addresses.
 * @param maxNumbers how many numbers it holds, unless the vectors of one call are more
 */
export const createVectorRowsStore = (maxNumbers = MAX_NUMBERS): VectorRowsStore => {
  const memory = new WebAssembly.Memory({ initial: 0 })
  const multiply = createProductKernel(memory)
  let used = 0
  /** Counts how often all was given up. */
  let generation = 0

  const clear = (): void => {
    used = 0
    generation++
  }

  /** Returns where so many numbers begin. */
  const reserve = (count: number): number => {
    if (used > 0 && used + count > maxNumbers) clear()
    const from = used
    used += count
    const missing = used * BYTES - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES))
    return from
  }

  const rowsOf = (vectors: readonly Float32Array[]): VectorRows => {
    const dimensions = vectors[0]?.length ?? 0
    const blocks = Math.ceil(vectors.length / BLOCK)
    const rowNumbers = blocks * BLOCK * dimensions
    // The question's numbers and the products lie behind the rows, each from a multiple of a block on.
    const vectorNumbers = Math.ceil(dimensions / BLOCK) * BLOCK
    let heldIn = -1
    let from = 0

    const copy = (): void => {
      from = reserve(rowNumbers + vectorNumbers + blocks * BLOCK)
      heldIn = generation
      const rows = new Float32Array(memory.buffer, from * BYTES, rowNumbers)
      // The last block may be larger than what there is for it.
      rows.fill(0, (blocks - 1) * BLOCK * dimensions)
      vectors.forEach((vector, place) => {
        let to = Math.floor(place / BLOCK) * BLOCK * dimensions + place % BLOCK
        for (let i = 0; i < dimensions; i++, to += BLOCK) rows[to] = vector[i]!
      })
    }

    return {
      productsWith (vector) {
        if (rowNumbers === 0) return new Float32Array(vectors.length)
        if (heldIn !== generation) copy()
        const [vectorAt, productsAt] = [from + rowNumbers, from + rowNumbers + vectorNumbers]
        const numbers = new Float32Array(memory.buffer)
        numbers.set(vector, vectorAt)
        multiply(from * BYTES, vectorAt * BYTES, vectorAt * BYTES, (vectorAt + dimensions) * BYTES, productsAt * BYTES)
        return numbers.subarray(productsAt, productsAt + vectors.length)
      }
    }
  }

  return { rowsOf, clear }
}
