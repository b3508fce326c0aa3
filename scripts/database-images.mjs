// Makes the images that a new data folder starts from, with the program that was just compiled: dist/db/images/*.tgz.
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { create } from 'tar'
import { readConfig } from '../dist/config.js'
import { openPglite } from '../dist/db/pglite.js'
import { imagePath } from '../dist/db/database-image.js'
import { migrate } from '../dist/db/migrate.js'
import { backendOn } from '../dist/server/backend.js'

const SAMPLE = new URL('../dist/planning/sample.ndjson', import.meta.url)

/**
 * @param {'empty' | 'sample'} image
 * @param {string} folder
 */
const pack = async (image, folder) => {
  await mkdir(dirname(imagePath(image)), { recursive: true })
  // The process id of whoever had it open is of no use to others.
  await create({
    file: imagePath(image), cwd: folder, gzip: { level: 9 }, portable: true, filter: (path) => !path.endsWith('postmaster.pid')
  }, ['.'])
}

const temporary = await mkdtemp(join(tmpdir(), 'exploration-mcp-images-'))
try {
  const folder = join(temporary, 'database')
  const empty = await openPglite(folder)
  await migrate(empty)
  await empty.close()
  await pack('empty', folder)

  const backend = await backendOn(await openPglite(folder), readConfig({}))
  await backend.importRecords(createReadStream(SAMPLE), () => {})
  await backend.close()
  await pack('sample', folder)
} finally {
  await rm(temporary, { recursive: true, force: true })
}
