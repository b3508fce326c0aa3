// Makes what only the program itself can make: files of dist/search/embedders/word-vectors, as every start would otherwise take half
// a second to move the words of the built-in thesaurus, and the images that a new data folder starts from, dist/db/images/*.tgz.
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { create } from 'tar'
import { readConfig } from '../src/config/config.js'
import { pgliteDatabase } from '../src/db/embedded/pglite-database.js'
import { openPgliteEngine } from '../src/db/embedded/pglite-engine.js'
import type { Database } from '../src/db/sql/database.js'
import { imagePath, type DatabaseImage } from '../src/db/embedded/database-folder.js'
import { migrate } from '../src/db/migrate.js'
import { buildRetrofittedWords } from '../src/search/embedders/word-vectors/open-word-vectors.js'
import { backendOn } from '../src/server/backend.js'
import { FIXED_TIME, fixWorld } from './bundle/fixed-world.js'

// The engine of the database is compiled without optimizing it: this process ends before that would pay.
setFlagsFromString('--liftoff-only')
fixWorld()

const SAMPLE = 'src/planning/sample.ndjson'

/** The databases that further ones would be copied from: two thirds of the files of a new folder, and no one makes further ones in it. */
const dropTemplates = async (db: Database): Promise<void> => {
  await db.query("update pg_database set datistemplate = false where datname like 'template_'")
  for (const name of ['template0', 'template1']) await db.query(`drop database ${name}`)
}

/** Packs the database in `folder`. */
const pack = async (image: DatabaseImage, folder: string): Promise<void> => {
  await mkdir(dirname(imagePath(image)), { recursive: true })
  await create({
    file: imagePath(image),
    cwd: folder,
    gzip: { level: 7 },
    portable: true,
    ...FIXED_TIME && { mtime: FIXED_TIME },
    noDirRecurse: true
    // The process id of anyone who had it open is of no use to others.
  }, (await readdir(folder, { recursive: true })).filter((path) => path !== 'postmaster.pid').sort())
}

await buildRetrofittedWords()
const temporary = await mkdtemp(join(tmpdir(), 'exploration-mcp-images-'))
try {
  const folder = join(temporary, 'database')
  const open = async (): Promise<Database> => {
    const db = pgliteDatabase(await openPgliteEngine({ folder }))
    // Old files of the write-ahead log would be kept to be written again: a third of an image.
    await db.script('set wal_recycle = off')
    return db
  }
  const empty = await open()
  await migrate(empty)
  await dropTemplates(empty)
  await empty.query('delete from deployment')
  await empty.close()
  await pack('empty', folder)

  const sample = await open()
  const backend = await backendOn(sample, readConfig({}))
  await backend.importRecords(createReadStream(SAMPLE))
  await backend.close()
  await pack('sample', folder)
} finally {
  await rm(temporary, { recursive: true, force: true })
}
