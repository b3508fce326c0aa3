/** A table of vectors with one byte per number: read in a third of the time, and precise enough to compare. */
import { bytesInMemory, type ByteRows } from './byte-source.js'

/** Vectors that are read, by their row in the table. */
export interface VectorRows {
  /** Adds a row to `to`, times the weight. */
  add (row: number, weight: number, to: Float32Array): void
  /** The dot product of a row and another vector. */
  dot (row: number, other: Float32Array): number
}

/** The numbers of all rows one after the other, and what each row is multiplied with. */
export interface Int8Table { numbers: Int8Array, scales: Float32Array }

export interface Int8Vectors extends VectorRows {
  readonly table: Readonly<Int8Table>
  set (row: number, vector: Float32Array): void
}

const LARGEST = 127

/** Creates a table of zeros with `rows` rows. */
export const int8Vectors = (rows: number, dimensions: number): Int8Vectors => {
  const numbers = new Int8Array(rows * dimensions)
  const scales = new Float32Array(rows)
  return {
    table: { numbers, scales },
    ...int8Rows(bytesInMemory(new Uint8Array(numbers.buffer)).rows(0, dimensions), scales, dimensions),
    set (row, vector) {
      const largest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
      const scale = scales[row] = largest / LARGEST
      for (let i = 0; i < dimensions; i++) {
        numbers[row * dimensions + i] = scale > 0 ? Math.round((vector[i] ?? 0) / scale) : 0
      }
    }
  }
}

/** The vectors of a table whose rows are somewhere else. */
export const int8Rows = (rows: ByteRows, scales: Float32Array, dimensions: number): VectorRows => {
  const numbers = new Int8Array(rows.bytes.buffer, rows.bytes.byteOffset, rows.bytes.length)
  return {
    add (row, weight, to) {
      const scale = scales[row]! * weight
      for (let from = rows.place(row), i = 0; i < dimensions; from++, i++) to[i]! += scale * numbers[from]!
    },
    dot (row, other) {
      // Two sums, since each addition waits for the previous one.
      let even = 0
      let odd = 0
      for (let from = rows.place(row), i = 0; i < dimensions; from += 2, i += 2) {
        even += numbers[from]! * other[i]!
        odd += numbers[from + 1]! * other[i + 1]!
      }
      return (even + odd) * scales[row]!
    }
  }
}
