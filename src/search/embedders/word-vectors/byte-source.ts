/** The bytes of a file of vectors: all of them in memory, or those that are asked for, read when they are. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

export interface ByteSource {
  readonly length: number
  /** A copy of the bytes from a place to the one before another. */
  read (from: number, to: number): Uint8Array<ArrayBuffer>
  /** Rows that have the same length and follow each other; the first begins at `from`. */
  rows (from: number, rowBytes: number): ByteRows
  /** Ends it: rows cannot be looked for any more. */
  close (): void
}

export interface ByteRows {
  readonly bytes: Uint8Array
  /** Where the row begins in `bytes`: it is there until the next row is looked for. */
  place (row: number): number
}

/**
 * Rows that are held at most, a power of 2. Texts of one field use a few thousand words; what is not held is read from
 * the system's memory of the file, in 2 µs.
 */
const MAX_HELD_ROWS = 4096

/** A file that is in memory. Its rows are not copied. */
export const bytesInMemory = (file: Uint8Array): ByteSource => ({
  length: file.length,
  read: (from, to) => Uint8Array.from(file.subarray(from, to)),
  rows: (from, rowBytes) => ({ bytes: file, place: (row) => from + row * rowBytes }),
  close () {}
})

/**
 * A file of which rows are read when they are needed. It is open until it is closed, or the thread ends.
 * @throws {Error} when there is no such file
 */
export const bytesInFile = (path: URL): ByteSource => {
  const file = openSync(path, 'r')
  const fill = (bytes: Uint8Array, at: number, length: number, from: number): void => {
    for (let read = 0; read < length;) {
      const more = readSync(file, bytes, at + read, length - read, from + read)
      if (more === 0) throw new Error(`${path.pathname} is cut short`)
      read += more
    }
  }
  return {
    length: sizeOf(file),

    read (from, to) {
      const bytes = new Uint8Array(Math.max(0, to - from))
      fill(bytes, 0, bytes.length, from)
      return bytes
    },

    rows (from, rowBytes) {
      const bytes = new Uint8Array(MAX_HELD_ROWS * rowBytes)
      /** The row that is held in each place plus one; 0 is free. */
      const held = new Uint32Array(MAX_HELD_ROWS)
      return {
        bytes,
        place (row) {
          const slot = row & MAX_HELD_ROWS - 1
          const at = slot * rowBytes
          if (held[slot] !== row + 1) {
            // Should it fail, the place holds neither row.
            held[slot] = 0
            fill(bytes, at, rowBytes, from + row * rowBytes)
            held[slot] = row + 1
          }
          return at
        }
      }
    },

    close () { closeSync(file) }
  }
}

const sizeOf = (file: number): number => {
  try {
    return fstatSync(file).size
  } catch (error) {
    closeSync(file)
    throw error
  }
}
