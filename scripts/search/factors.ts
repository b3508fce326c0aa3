// The rows of U·√S of a sparse matrix by randomised subspace iteration, each brought to length 1. Seeded: every run gives the same.
import { normalize } from '../../src/search/vector.js'
import { eigen, gram, orthonormal, times } from './dense.js'

const SEED = 20_261_121
const OVERSAMPLING = 16
const POWER_ITERATIONS = 2

/** Row r holds `values[i]` in `columns[i]` for i from `starts[r]` to before `starts[r + 1]`. */
export interface SparseMatrix {
  rows: number
  width: number
  starts: Uint32Array
  columns: Uint32Array
  values: Float32Array
}

export function factors (matrix: SparseMatrix, dimensions: number): Float32Array {
  const k = dimensions + OVERSAMPLING
  let basis = orthonormal(scatter(matrix, signs(matrix.rows * k), k), k)
  for (let i = 0; i < POWER_ITERATIONS; i++) basis = orthonormal(scatter(matrix, gather(matrix, basis, k), k), k)
  const image = gather(matrix, basis, k)
  const { values, vectors } = eigen(gram(image, k), k)
  const strongest = [...values.keys()].sort((a, b) => values[b]! - values[a]!).slice(0, dimensions)
  // With B = A·Q and BᵀB = V·S²·Vᵀ, U·√S = B·V / √S.
  const turn = new Float64Array(k * dimensions)
  strongest.forEach((from, to) => {
    for (let i = 0; i < k; i++) turn[i * dimensions + to] = vectors[i * k + from]! / Math.max(values[from]!, 1e-12) ** 0.25
  })
  const rows = times(image, turn, k, dimensions, () => 0)
  for (let at = 0; at < rows.length; at += dimensions) normalize(rows.subarray(at, at + dimensions))
  return rows
}

/** 1 and −1 by chance. */
function signs (length: number): Float32Array {
  let state = SEED
  return Float32Array.from({ length }, () => {
    state = (state + 0x6D2B79F5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)
    return ((bits ^ (bits >>> 14)) & 1) === 1 ? 1 : -1
  })
}

/** A·X. */
function gather ({ rows, starts, columns, values }: SparseMatrix, x: Float32Array, k: number): Float32Array {
  const out = new Float32Array(rows * k)
  for (let r = 0; r < rows; r++) {
    for (let e = starts[r]!; e < starts[r + 1]!; e++) {
      const weight = values[e]!
      for (let j = 0, from = columns[e]! * k, to = r * k; j < k; j++, from++, to++) out[to]! += weight * x[from]!
    }
  }
  return out
}

/** Aᵀ·X. */
function scatter ({ rows, width, starts, columns, values }: SparseMatrix, x: Float32Array, k: number): Float32Array {
  const out = new Float32Array(width * k)
  for (let r = 0; r < rows; r++) {
    for (let e = starts[r]!; e < starts[r + 1]!; e++) {
      const weight = values[e]!
      for (let j = 0, from = r * k, to = columns[e]! * k; j < k; j++, from++, to++) out[to]! += weight * x[from]!
    }
  }
  return out
}
