/** Makes the files of a database's folder private: PGlite gives some of them modes of its own, whatever the umask. */
import { chmod, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Makes the folder and everything in it private, folders 0700 and files 0600. */
export const makePrivate = async (folder: string): Promise<void> => {
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), 0o700)
    else if (entry.isFile()) await chmod(join(entry.parentPath, entry.name), 0o600)
  }
}
