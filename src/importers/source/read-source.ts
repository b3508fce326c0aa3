/** Reads one file of the root as text, bounded, and only when its real path is inside the root. */
import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImportReport } from '../report.js'
import type { SourceText } from '../types.js'
import { decodeText } from './decode-text.js'
import { readAtMost } from './read-start.js'
import { isInside } from './walk.js'
import { errorCodeOrName } from '../../lib/error-code.js'

/** The limit of one file. A requirement package has at most 5,000,000 characters. */
const MAX_SOURCE_BYTES = 8 * 1024 * 1024
/** The limit of a tracker's export or a task list, which become many items. */
const MAX_EXPORT_BYTES = 48 * 1024 * 1024

const EXPORT = /\.(csv|json|ndjson|jsonl)$/i

/** The text of the file, or of the bytes given; undefined, and reported, when it cannot be read. */
export const readSource = async (
  root: string,
  path: string,
  report: ImportReport,
  given?: Buffer
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

/** The bytes of the file; undefined, and reported, when it cannot be read. */
export const readBytes = async (root: string, path: string, report: ImportReport): Promise<Buffer | undefined> => {
  const maxBytes = EXPORT.test(path) ? MAX_EXPORT_BYTES : MAX_SOURCE_BYTES
  try {
    const real = await realpath(join(root, path))
    if (!isInside(root, real)) {
      report.problem(path, 'left out: it leads to a place outside the root')
      return undefined
    }
    const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    try {
      const stat = await file.stat()
      if (!stat.isFile()) {
        report.problem(path, 'left out: it is not a file')
        return undefined
      }
      if (stat.size > maxBytes) {
        report.problem(path, `left out: ${stat.size} bytes are more than the ${maxBytes} that are read of one file`)
        return undefined
      }
      // A file may grow while it is read: read only as much as it had.
      return await readAtMost(file, Math.min(stat.size + 1, maxBytes))
    } finally {
      await file.close()
    }
  } catch (error) {
    report.problem(path, `cannot be read (${errorCodeOrName(error)})`)
    return undefined
  }
}
