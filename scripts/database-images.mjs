// Makes the images that a new data folder starts from, with the program that was just compiled: dist/db/images/*.tgz.
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { create } from 'tar'
import { readConfig } from '../dist/config.js'
import { openPglite } from '../dist/db/pglite.js'
import { imagePath } from '../dist/db/database-image.js'
import { migrate } from '../dist/db/migrate.js'
import { backendOn } from '../dist/server/backend.js'

const SAMPLE = new URL('../dist/planning/sample.ndjson', import.meta.url)

/** @typedef {Awaited<ReturnType<typeof openPglite>>} Pglite */

/**
 * The databases that further ones would be copied from: two thirds of the files of a new folder, and nobody makes further ones in it.
 * @param {Pglite} db
 */
const dropTemplates = async (db) => {
  await db.query("update pg_database set datistemplate = false where datname like 'template_'")
  for (const name of ['template0', 'template1']) await db.query(`drop database ${name}`)
}

/**
 * The newest file of the write-ahead log. Those with a higher name are old ones that wait for being written again; an orderly end writes at
 * most into the next.
 * @param {Pglite} db
 * @returns {Promise<string>}
 */
const newestLogFile = async (db) => {
  await db.script('checkpoint')
  const [row] = await db.query('select pg_walfile_name(pg_current_wal_insert_lsn()) as name')
  return String(row?.name)
}

/**
 * @param {'empty' | 'sample'} image
 * @param {string} folder
 * @param {string} newest from `newestLogFile`
 */
const pack = async (image, folder, newest) => {
  await mkdir(dirname(imagePath(image)), { recursive: true })
  const logFiles = (await readdir(join(folder, 'pg_wal'))).filter((name) => /^[0-9A-F]{24}$/.test(name)).sort()
  const unused = new Set(logFiles.filter((name) => name < newest || logFiles.indexOf(name) > logFiles.indexOf(newest) + 1))
  await create({
    file: imagePath(image),
    cwd: folder,
    gzip: { level: 9 },
    portable: true,
    // The process id of whoever had it open is of no use to others.
    filter: (path) => !path.endsWith('postmaster.pid') && !unused.has(basename(path))
  }, ['.'])
}

const temporary = await mkdtemp(join(tmpdir(), 'exploration-mcp-images-'))
try {
  const folder = join(temporary, 'database')
  const empty = await openPglite(folder)
  await migrate(empty)
  await dropTemplates(empty)
  const newestOfEmpty = await newestLogFile(empty)
  await empty.close()
  await pack('empty', folder, newestOfEmpty)

  const sample = await openPglite(folder)
  const backend = await backendOn(sample, readConfig({}))
  await backend.importRecords(createReadStream(SAMPLE), () => {})
  const newestOfSample = await newestLogFile(sample)
  await backend.close()
  await pack('sample', folder, newestOfSample)
} finally {
  await rm(temporary, { recursive: true, force: true })
}
