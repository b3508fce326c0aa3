/** Dumps of embedded databases, for all processes of a run: made once for sources and day. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importRecords } from '../../src/importers/records/import-records.js'
import { errorCode } from '../../src/lib/error-code.js'
import { migrate } from '../../src/db/migrate.js'
import { openPglite } from './open-pglite.js'
import { contentOf, type DatabaseContent, type Embedded } from './database-content.js'
import { ROOT } from './root.js'

/**
 * `image`: the path of a dump with the sample data; `empty`: one without a schema. `migrated` and `sample`: the content without and with
 * the sample data.
 */
export interface PreparedDatabase { image: string, empty: string, migrated: DatabaseContent, sample: DatabaseContent }

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url))
const SAMPLE = join(SOURCE, 'planning/sample.ndjson')
/** Whatever decides what is in a database that was just filled, beside the helpers. */
const PARTS = ['access', 'db', 'importers', 'lib', 'planning', 'search']
const HELPERS = [fileURLToPath(import.meta.url), fileURLToPath(new URL(`database-content${extname(import.meta.url)}`, import.meta.url))]
const CACHE = `${ROOT}node_modules/.cache/exploration-mcp/`
const DAY_MS = 86_400_000
/** A process that makes one takes some seconds. After so many it has been killed. */
const MAKING_MS = 60_000
const POLL_MS = 20

/** Makes it unless another process has: then it waits for that one. */
export const preparedDatabase = async (): Promise<PreparedDatabase> => {
  const name = join(CACHE, await key())
  const paths = { image: `${name}.tar`, empty: `${name}.empty.tar`, contents: `${name}.json` }
  const marker = `${name}.making`
  await mkdir(CACHE, { recursive: true })
  // The contents are written last.
  while (await ageMs(paths.contents) === undefined) {
    if (await writeFile(marker, '', { flag: 'wx' }).then(() => true, ifExists)) {
      await make(paths)
      await rm(marker, { force: true })
    } else {
      if ((await ageMs(marker) ?? 0) > MAKING_MS) await rm(marker, { force: true })
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
  return { ...paths, ...JSON.parse(await readFile(paths.contents, 'utf8')) as Pick<PreparedDatabase, 'migrated' | 'sample'> }
}

/** The months of partitions depend on the day, and so do times in the rows. */
const key = async (): Promise<string> => {
  const hash = createHash('sha256').update(new Date().toISOString().slice(0, 10))
  for (const helper of HELPERS) hash.update(await readFile(helper))
  for (const part of PARTS) {
    const files = await readdir(join(SOURCE, part), { recursive: true })
    for (const file of files.sort()) if (/\.(?:ts|sql|ndjson)$/.test(file)) hash.update(file).update(await readFile(join(SOURCE, part, file)))
  }
  return hash.digest('hex').slice(0, 16)
}

const make = async ({ image, empty, contents }: { image: string, empty: string, contents: string }): Promise<void> => {
  for (const old of await readdir(CACHE)) if ((await ageMs(join(CACHE, old)) ?? 0) > DAY_MS) await rm(join(CACHE, old), { force: true })
  const db = await openPglite()
  // Two thirds of the files: no one makes further databases.
  await db.query("update pg_database set datistemplate = false where datname like 'template_'")
  for (const template of ['template0', 'template1']) await db.query(`drop database ${template}`)
  await replace(empty, await dumpOf(db))
  await migrate(db)
  const migrated = await contentOf(db)
  await importRecords(db, createReadStream(SAMPLE), { spoolDir: tmpdir() })
  const sample = await contentOf(db)
  await replace(image, await dumpOf(db))
  await db.close()
  await replace(contents, JSON.stringify({ migrated, sample }))
}

const dumpOf = async ({ pglite }: Embedded): Promise<Buffer> => {
  const dump = await pglite.dumpDataDir('none')
  return Buffer.from(await dump.arrayBuffer())
}

/** Whole or not at all. */
const replace = async (path: string, data: string | Buffer): Promise<void> => {
  await writeFile(`${path}.${process.pid}`, data)
  await rename(`${path}.${process.pid}`, path)
}

/** Undefined when there is no such file. */
const ageMs = async (path: string): Promise<number | undefined> =>
  await stat(path).then(({ mtimeMs }) => Date.now() - mtimeMs, () => undefined)

const ifExists = (error: unknown): false => {
  if (errorCode(error) !== 'EEXIST') throw error
  return false
}
