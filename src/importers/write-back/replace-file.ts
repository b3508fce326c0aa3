/** Replaces a file of the working tree: whole or not at all, and only where it lies in the tree by itself. */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Refusal } from '../../lib/errors.js'
import { isIgnoredByGit } from '../source/git.js'
import type { ImportSource } from '../source/open-source.js'
import type { FileChange } from './rewrite.js'

/** The name of a file that is not renamed yet. */
export const UNFINISHED = /(?:^|\/)\.[^/]+\.exploration-mcp-[0-9a-f]{12}$/

/**
 * Writes beside the file and renames; the mode stays. Resolves with false when its bytes are not those of before.
 * @throws {Refusal} for a link, or a file that git ignores
 * @throws the file system's error
 */
export const replaceFile = async (
  { root }: ImportSource, { path, before, after }: FileChange
): Promise<boolean> => {
  const file = join(root, path)
  const requireOwnPlace = async (): Promise<void> => {
    if (await realpath(file) !== file) throw new Refusal(`${path} is reached by a link.`)
  }
  await requireOwnPlace()
  if (await isIgnoredByGit(root, path)) throw new Refusal(`${path} is ignored by git.`)
  const { mode, uid, gid } = await stat(file)
  const unfinished = join(dirname(file), `.${basename(file)}.exploration-mcp-${randomBytes(6).toString('hex')}`)
  try {
    const written = await open(unfinished, 'wx', mode & 0o7777)
    try {
      await written.chown(uid, gid).catch(() => {})
      await written.chmod(mode & 0o7777)
      await written.writeFile(after)
      await written.sync()
    } finally {
      await written.close()
    }
    await requireOwnPlace()
    if (!before.equals(await bytesOf(file))) return false
    await rename(unfinished, file)
    return true
  } finally {
    await rm(unfinished, { force: true })
  }
}

const bytesOf = async (file: string): Promise<Buffer> => {
  const opened = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  try {
    return await opened.readFile()
  } finally {
    await opened.close()
  }
}
