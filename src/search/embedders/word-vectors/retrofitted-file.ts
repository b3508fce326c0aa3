/**
 * A file of retrofitted words: the length of its head, the head as JSON, the mean direction, a scale for each word, and
 * one byte for each number of their vectors. Numbers are in the byte order of the machine that built the program.
 */
import { int8VectorsOf } from './int8-vectors.js'
import type { RetrofittedWords } from './retrofit.js'

interface Head {
  /** The version of the vectors, from which file and groups they were made. */
  version: string
  dimensions: number
  /** One a row. */
  words: string[]
  /** The rows of the terms. */
  terms: number[]
}

const FLOAT_BYTES = 4
const HEAD_AT = 4

/** Returns the content of the file. */
export const packRetrofitted = (
  { rows, terms, vectors: { table }, common }: RetrofittedWords, version: string
): Uint8Array => {
  const words = [...rows.keys()]
  const head: Head = {
    version, dimensions: common.length, words, terms: words.flatMap((word, row) => terms.has(word) ? [row] : [])
  }
  const headBytes = Buffer.from(JSON.stringify(head))
  const length = Uint32Array.of(headBytes.length)
  return Buffer.concat([bytesOf(length), headBytes, ...[common, table.scales, table.numbers].map(bytesOf)])
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/**
 * Reads the file without copying its vectors.
 * @returns undefined for a file of another version
 */
export const readRetrofitted = (file: Uint8Array, version: string): RetrofittedWords | undefined => {
  const copy = (from: number, to: number): ArrayBuffer => Uint8Array.from(file.subarray(from, to)).buffer
  const [length = 0] = new Uint32Array(copy(0, HEAD_AT))
  const commonAt = HEAD_AT + length
  const head: Head = JSON.parse(Buffer.from(file.subarray(HEAD_AT, commonAt)).toString())
  if (head.version !== version) return undefined
  const { words, dimensions, terms } = head
  const scalesAt = commonAt + dimensions * FLOAT_BYTES
  const numbersAt = scalesAt + words.length * FLOAT_BYTES
  return {
    rows: new Map(words.map((word, row) => [word, row])),
    terms: new Set(terms.map((row) => words[row] ?? '')),
    common: new Float32Array(copy(commonAt, scalesAt)),
    vectors: int8VectorsOf({
      numbers: new Int8Array(file.buffer, file.byteOffset + numbersAt, words.length * dimensions),
      scales: new Float32Array(copy(scalesAt, numbersAt))
    }, dimensions)
  }
}
