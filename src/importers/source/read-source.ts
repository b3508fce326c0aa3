/** Reads files, bounded: of the source as text, and only those whose real path is inside the root. */
import { constants } from 'node:fs'
import { open, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImportReport } from '../report.js'
import type { SourceText } from '../types.js'
import { decodeText } from './decode-text.js'
import { isInside } from './paths.js'
import { errorCodeOrName } from '../../lib/error-code.js'

/** The limit of one file. A requirement package has at most 5,000,000 characters. */
const MAX_SOURCE_BYTES = 8 * 1024 * 1024
/** The limit of a tracker's export or a task list, which become many items. */
const MAX_EXPORT_BYTES = 48 * 1024 * 1024

const EXPORT = /\.(csv|json|ndjson|jsonl)$/i

/** The text of the file, or of the bytes given; undefined, and reported, when it cannot be read. */
export const readSource = async (
  root: string, path: string, report: ImportReport, given?: Buffer
): Promise<SourceText | undefined> => {
  const bytes = given ?? await readBytes(root, path, report)
  if (bytes === undefined) return undefined
  const { text, encoding, replaced, binary } = decodeText(bytes)
  if (binary) {
    report.problem(path, 'left out: it is not text')
    return undefined
  }
  if (encoding === 'latin-1') report.note(path, 'is not UTF-8 and was read as Latin-1')
  if (replaced > 0) {
    report.problem(
      path,
      `${replaced} characters that no record may hold (U+0000 or half of a surrogate pair) were replaced`
    )
  }
  return { path, text }
}

export const readBytes = async (root: string, path: string, report: ImportReport): Promise<Buffer | undefined> => {
  const maxBytes = EXPORT.test(path) ? MAX_EXPORT_BYTES : MAX_SOURCE_BYTES
  try {
    const real = await realpath(join(root, path))
    if (isInside(root, real)) {
      const { bytes, size } = await readStart(real, maxBytes, constants.O_NOFOLLOW)
      if (size <= maxBytes) return bytes
      report.problem(path, `left out: ${size} bytes are more than the ${maxBytes} that are read of one file`)
    } else report.problem(path, 'left out: it leads to a place outside the root')
  } catch (error) {
    const code = errorCodeOrName(error)
    report.problem(path, code === 'EINVAL' ? 'left out: it is not a file' : `cannot be read (${code})`)
  }
  return undefined
}

/**
 * Reads the first `maxBytes` bytes of a regular file. The name is not trusted: a pipe or a device could block or never
 * end. Links are followed, unless the flags say otherwise. `size`: of the whole file in bytes.
 * @throws the file system's error; one with the code `EINVAL` for anything else than a regular file
 */
export const readStart = async (path: string, maxBytes: number, flags = 0) => {
  // Without O_NONBLOCK the open of a named pipe waits until someone writes into it.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | flags)
  try {
    const info = await file.stat()
    if (!info.isFile()) throw Object.assign(new Error('This is no regular file.'), { code: 'EINVAL' })
    const buffer = Buffer.alloc(Math.min(info.size, maxBytes))
    let length = 0
    while (length < buffer.length) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return { bytes: buffer.subarray(0, length), size: info.size }
  } finally {
    await file.close()
  }
}

/** The size, which is 0 of a missing file, and a text that differs whenever the file has changed. */
export interface FileStamp {
  size: number
  text: string
}

export const stampOf = async (file: string): Promise<FileStamp> => {
  try {
    const { mtimeMs, ctimeMs, size, ino } = await stat(file)
    return { size, text: `${mtimeMs}\0${ctimeMs}\0${size}\0${ino}` }
  } catch {
    return { size: 0, text: 'gone' }
  }
}
