/** The form of the files of an embedded database, which PGlite reads only of its own version of PostgreSQL. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../lib/errors.js'

/** The version of PostgreSQL that PGlite is. */
const VERSION = '18'

/**
 * Looks at the folder of an embedded database before it is opened. A folder that is not there yet has the right form.
 * @throws {Refusal} when another version of PostgreSQL wrote it
 */
export const refuseOtherFormat = async (folder: string): Promise<void> => {
  const written = (await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => VERSION)).trim()
  if (written === VERSION) return
  throw new Refusal(
    `The files of this database are of PostgreSQL ${written}, and this version of the program has ${VERSION}. ` +
    'Nothing was changed. Use the version that wrote them, or restore a backup from before the upgrade.'
  )
}
