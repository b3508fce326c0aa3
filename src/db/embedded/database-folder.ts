/** The folder of an embedded database before it is opened: its form, and prepared contents for a new one. */
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Refusal } from '../../lib/errors.js'

/**
 * `empty`: the newest schema without rows. `sample`: with the sample data, its search index, and no credentials.
 * Neither has the tag of a deployment.
 */
export type DatabaseImage = 'empty' | 'sample'

/** Path of the archive of an image. It exists in a built program only. */
export const imagePath = (image: DatabaseImage): string =>
  fileURLToPath(new URL(`../images/${image}.tgz`, import.meta.url))

/**
 * Fills the folder, unless it exists, from what `npm run build` made: that takes a fifth of the time and a third of the
 * memory of creating a database, migrating it and importing the sample data.
 * @returns whether it was filled: not when the folder exists, nor when the program was not built
 * @throws the error of the file system
 */
export const unpackImage = async (image: DatabaseImage, folder: string): Promise<boolean> => {
  const file = imagePath(image)
  if (await exists(folder) || !await exists(file)) return false
  const { extract } = await import('tar')
  // Renamed when it is complete: a process that ends meanwhile leaves no half of a database.
  const unfinished = `${folder}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true, mode: 0o700 })
  await extract({ file, cwd: unfinished, strict: true, preserveOwner: false })
  await rename(unfinished, folder)
  return true
}

const exists = async (path: string): Promise<boolean> => await access(path).then(() => true, () => false)

/** The version of PostgreSQL that PGlite is: it reads only files of its own. */
const VERSION = '18'

/** @throws {Refusal} when another version of PostgreSQL wrote the folder; one that is not there yet is right */
export const refuseOtherFormat = async (folder: string): Promise<void> => {
  const written = (await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => VERSION)).trim()
  if (written === VERSION) return
  throw new Refusal(
    `The files of this database are of PostgreSQL ${written}, and this version of the program has ${VERSION}. ` +
    'Nothing was changed. Use the version that wrote them, or restore a backup from before the upgrade.'
  )
}
