/**
 * A file of retrofitted words: the length of its head, the head as JSON, the words, the mean direction, a scale for
 * each word, and one byte for each number of their vectors. Numbers are in the byte order of the machine that built the
 * program.
 */
import type { ByteSource } from './byte-source.js'
import { int8Rows, type Int8Vectors } from './int8-vectors.js'
import type { RetrofittedWords } from './retrofit.js'
import { wordIndex } from './word-index.js'

interface Head {
  /** The version of the vectors, from which file and groups they were made. */
  version: string
  dimensions: number
  /** How many words there are, one a row. */
  count: number
  /** Of all words, one a line. */
  bytes: number
  /** The rows that are no terms. */
  others: number[]
}

const FLOAT_BYTES = 4
const HEAD_AT = 4

/** Returns the content of the file. */
export const packRetrofitted = (
  retrofitted: Pick<RetrofittedWords, 'words' | 'isTerm' | 'common'> & { vectors: Pick<Int8Vectors, 'table'> },
  version: string
): Uint8Array => {
  const { common, vectors: { table } } = retrofitted
  const words = [...retrofitted.words()]
  const list = Buffer.from(words.join('\n'))
  const head: Head = {
    version,
    dimensions: common.length,
    count: words.length,
    bytes: list.length,
    others: [...words.keys()].filter((row) => !retrofitted.isTerm(row))
  }
  const headBytes = Buffer.from(JSON.stringify(head))
  const length = Uint32Array.of(headBytes.length)
  return Buffer.concat([bytesOf(length), headBytes, list, ...[common, table.scales, table.numbers].map(bytesOf)])
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/**
 * Reads the words. Their vectors stay where they are until they are needed.
 * @returns undefined for a file of another version
 */
export const readRetrofitted = (file: ByteSource, version: string): RetrofittedWords | undefined => {
  const [length = 0] = new Uint32Array(file.read(0, HEAD_AT).buffer)
  const listAt = HEAD_AT + length
  const head: Head = JSON.parse(new TextDecoder().decode(file.read(HEAD_AT, listAt)))
  if (head.version !== version) return undefined
  const { count, dimensions } = head
  const commonAt = listAt + head.bytes
  const scalesAt = commonAt + dimensions * FLOAT_BYTES
  const rowsAt = scalesAt + count * FLOAT_BYTES
  const { find, words } = wordIndex(file.read(listAt, commonAt), count)
  const others = new Set(head.others)
  return {
    find,
    isTerm: (row) => !others.has(row),
    words,
    common: new Float32Array(file.read(commonAt, scalesAt).buffer),
    vectors: int8Rows(
      file.rows(rowsAt, dimensions), new Float32Array(file.read(scalesAt, rowsAt).buffer), dimensions)
  }
}
