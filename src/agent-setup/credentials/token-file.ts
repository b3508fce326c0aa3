/** Reads a file that contains a token and nothing else, to which an agent's entry refers. */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { kindOf } from '../../access/credentials/credential-form.js'
import type { Host } from '../file-system.js'

const MAX_BYTES = 10_000

/**
 * The credential in the file. Undefined when it cannot be read, is no plain file, or contains anything else: the
 * reference may point at another secret of this machine, which must not be sent.
 * @param path absolute, or below `~/`
 */
export async function readTokenFile (path: string, { home }: Pick<Host, 'home'>): Promise<string | undefined> {
  const content = await contentOf(path.replace(/^~(?=\/)/, () => home)).catch(() => undefined)
  return kindOf(content) && content
}

async function contentOf (path: string): Promise<string | undefined> {
  // Opened without blocking: a pipe without a writer would never open.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = await file.stat()
    return found.isFile() && found.size <= MAX_BYTES ? (await file.readFile('utf8')).trim() : undefined
  } finally {
    await file.close()
  }
}
