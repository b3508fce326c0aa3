/** Makes the files of a database's folder private, whatever modes PGlite gave them. */
import { chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Creates the folder (0700) when it is missing. */
export const makePrivateFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

/**
 * Makes everything in the folder private, folders 0700 and files 0600, unless that was done before.
 * @param mark a file that is changed last: if it is private, everything is
 */
export const makeContentPrivate = async (folder: string, mark: string): Promise<void> => {
  const modes = await Promise.all([folder, join(folder, mark)].map(async (path) => (await stat(path)).mode))
  if (modes.some((mode) => (mode & 0o077) !== 0)) await makePrivate(folder, mark)
}

/**
 * Makes everything in the folder private, folders 0700 and files 0600.
 * @param mark a file in it that is changed last
 */
export const makePrivate = async (folder: string, mark?: string): Promise<void> => {
  await chmod(folder, 0o700)
  const last = mark === undefined ? undefined : join(folder, mark)
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isDirectory() || entry.isFile())
    .map((entry) => ({ path: join(entry.parentPath, entry.name), mode: entry.isDirectory() ? 0o700 : 0o600 }))
  for (const { path, mode } of entries) if (path !== last) await chmod(path, mode)
  if (last !== undefined) await chmod(last, 0o600)
}
