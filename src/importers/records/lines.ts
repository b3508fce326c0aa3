/** Splits bytes into lines: plain or gzip, any line ends, an optional byte order mark, bounded. */
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Refusal } from '../../lib/errors.js'
import { errorCode } from '../../lib/error-code.js'

export interface TextLine { number: number, bytes: Buffer }

const MAX_LINE_BYTES = 16 * 1024 * 1024

/** Limits of one source. They count decompressed bytes, since a small gzip file may hold much. */
export interface LineLimits {
  maxBytes: number
  /** Lines, including empty ones. */
  maxLines: number
}

export const IMPORT_LIMITS: LineLimits = { maxBytes: 8 * 1024 ** 3, maxLines: 10_000_000 }
const NEWLINE = 0x0a
const GZIP = Buffer.from([0x1f, 0x8b])
const BOM = Buffer.from([0xef, 0xbb, 0xbf])

/** Numbered from 1, without empty ones. @throws {Refusal} over a limit and for damaged gzip, and the signal's reason */
export async function * linesOf (
  source: AsyncIterable<Uint8Array>,
  { limits = IMPORT_LIMITS, signal }: { limits?: LineLimits, signal?: AbortSignal | undefined } = {}
): AsyncGenerator<TextLine> {
  const { maxBytes, maxLines } = limits
  let rest: Buffer[] = []
  let length = 0
  let number = 0
  let total = 0

  const take = (end: Buffer): TextLine | undefined => {
    if (++number > maxLines) {
      throw new Refusal(`There are more than ${maxLines} lines: split the file. Nothing was imported.`)
    }
    let bytes = rest.length === 0 ? end : Buffer.concat([...rest, end])
    rest = []
    length = 0
    if (number === 1 && bytes.subarray(0, 3).equals(BOM)) bytes = bytes.subarray(3)
    return bytes.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09) ? undefined : { number, bytes }
  }

  for await (const chunk of unzipped(source)) {
    signal?.throwIfAborted()
    total += chunk.length
    if (total > maxBytes) {
      throw new Refusal(`There are more than ${maxBytes} bytes, unpacked: split the file. Nothing was imported.`)
    }
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const line = take(chunk.subarray(start, end))
      if (line) yield line
      start = end + 1
    }
    const left = chunk.subarray(start)
    length += left.length
    if (length > MAX_LINE_BYTES) throw new Refusal(`Line ${number + 1} is longer than ${MAX_LINE_BYTES} bytes.`)
    if (left.length > 0) rest.push(left)
  }
  if (length > 0) {
    const line = take(Buffer.alloc(0))
    if (line) yield line
  }
}

/** The first bytes, unpacked; none of an empty source. @throws {Refusal} for an archive, and for damaged gzip */
export const startOf = async (source: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks = unzipped(source)
  const first = await chunks.next()
  await chunks.return(undefined)
  return first.done ? Buffer.alloc(0) : first.value
}

/** Whether the bytes begin a tar or zip file, whose files are no records. */
const isArchive = (start: Buffer): boolean =>
  start.toString('latin1', 257, 262) === 'ustar' || start.toString('latin1', 0, 4) === 'PK\x03\x04'

async function * unzipped (source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const chunk of gunzipped(source)) {
    if (isFirst && isArchive(chunk)) {
      throw new Refusal('This is an archive: unpack it, and import the folder. Nothing was imported.')
    }
    isFirst = false
    yield chunk
  }
}

async function * gunzipped (source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const chunks = Readable.from(source)
  let head = Buffer.alloc(0)
  for await (const chunk of chunks.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    head = Buffer.concat([head, chunk])
    if (head.length >= GZIP.length) break
  }
  if (!chunks.readableEnded) chunks.unshift(head)
  if (!head.subarray(0, GZIP.length).equals(GZIP)) {
    if (chunks.readableEnded) yield head
    for await (const { buffer, byteOffset, byteLength } of chunks as AsyncIterable<Uint8Array>) {
      yield Buffer.from(buffer, byteOffset, byteLength)
    }
    return
  }
  const gunzip = createGunzip()
  chunks.on('error', (error) => gunzip.destroy(error)).pipe(gunzip)
  try {
    for await (const chunk of gunzip) yield chunk
  } catch (error) {
    throw errorCode(error)?.startsWith('Z_') ? new Refusal('The file is damaged: it is not a whole gzip file.') : error
  } finally {
    chunks.destroy()
  }
}
