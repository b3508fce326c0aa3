/** Opens an agent's file, or one of its backups. */
import type { Host } from '../file-system.js'
import { errorCode } from '../../lib/error-code.js'

export interface OpenedFile {
  path: string
  text: string | undefined
  mode: number
  writable: boolean
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const MAX_BYTES = 16 * 1024 * 1024

/** Reads at most 16 MiB of UTF-8 text. Resolves to a problem, with a sentence, for anything else. */
export async function openFile (
  file: string, { fileSystem }: Host
): Promise<OpenedFile | { problem: string }> {
  try {
    const found = await fileSystem.find(file)
    if (found.kind === 'other') return { problem: 'it is not a file.' }
    if (found.size > MAX_BYTES) {
      return { problem: `it has ${found.size} bytes, more than an agent's settings should.` }
    }
    const text = found.kind === 'missing' ? undefined : UTF8.decode(await fileSystem.read(found.path))
    return { path: found.path, text, mode: found.mode, writable: found.writable }
  } catch (error) {
    return { problem: reasonOf(error) }
  }
}

const reasonOf = (error: unknown): string => {
  if (error instanceof TypeError) return 'it is not UTF-8 text.'
  return `it cannot be read (${errorCode(error) ?? (error instanceof Error ? error.message : String(error))}).`
}
