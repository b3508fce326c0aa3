/** Replaces or adds a file of the working tree: whole or not at all, and only where it lies in the tree by itself. */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, chown, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { undefinedIfMissing } from '../../lib/error-code.js'
import { Refusal } from '../../lib/errors.js'
import { isIgnoredByGit } from '../source/git.js'
import type { ImportSource } from '../source/open-source.js'
import type { FileChange } from './rewrite.js'

const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
/** The name of a file that is not renamed yet. */
export const UNFINISHED = /(?:^|\/)\.[^/]+\.exploration-mcp-[0-9a-f]{12}$/

/**
 * Writes beside the file and renames; its mode stays. Resolves with false when its bytes are not those of before.
 * @throws {Refusal} for a link, or a file that git ignores
 * @throws the file system's error
 */
export const replaceFile = async (
  { root }: ImportSource, { path, before, after }: FileChange
): Promise<boolean> => {
  const file = join(root, path)
  const known = before ? file : dirname(file)
  const requireOwnPlace = async (): Promise<void> => {
    if (await realpath(known) !== known) throw new Refusal(`${path} is reached by a link.`)
  }
  await requireOwnPlace()
  if (await isIgnoredByGit(root, path)) throw new Refusal(`${path} is ignored by git.`)
  const old = before && await stat(file)
  const unfinished = join(dirname(file), `.${basename(file)}.exploration-mcp-${randomBytes(6).toString('hex')}`)
  try {
    await writeFile(unfinished, after, { flag: 'wx', mode: old ? old.mode & 0o7777 : 0o666, flush: true })
    if (old) {
      await chown(unfinished, old.uid, old.gid).catch(() => {})
      await chmod(unfinished, old.mode & 0o7777)
    }
    await requireOwnPlace()
    const now = await readFile(file, { flag: READ }).catch(undefinedIfMissing)
    if (before ? !now?.equals(before) : now) return false
    await rename(unfinished, file)
    return true
  } finally {
    await rm(unfinished, { force: true })
  }
}
