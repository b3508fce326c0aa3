/**
 * A migrated database per test: in memory, started from a dump that is made once a schema; with TEST_DATABASE_URL a new one on
 * that PostgreSQL server, so that the same promises are proven there.
 */
import { createHash, randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { link, mkdir, readdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { migrate } from '../../src/store/migrate.js'
import { openPglite } from '../../src/store/pglite.js'
import { openPostgres } from '../../src/store/postgres.js'
import type { Database } from '../../src/store/database.js'
import { ROOT } from './root.js'

const migrations = fileURLToPath(new URL('../../src/store/migrations/', import.meta.url))
const cache = `${ROOT}node_modules/.cache/exploration-mcp/`

/** Undefined where the tests run on the embedded database alone. */
export const SERVER = process.env['TEST_DATABASE_URL'] || undefined

export const database = async (t: Test): Promise<Database> => {
  const db = SERVER === undefined
    ? await openPglite(undefined, { from: await openAsBlob(await dump()) })
    : await openPostgres(await ownDatabase(t, SERVER), { connections: 3 })
  t.teardown(() => db.close())
  if (SERVER !== undefined) await migrate(db)
  return db
}

/** The address of an empty database, or of a copy of another, that goes away with the test. */
export const ownDatabase = async (t: Test, server: string, template = 'template1'): Promise<string> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = await openPostgres(server, { connections: 1 })
  await admin.query(`create database ${name} template ${template}`)
  t.teardown(async () => {
    await admin.query(`drop database ${name} with (force)`)
    await admin.close()
  })
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}

const dump = async (): Promise<string> => {
  const files = (await readdir(migrations)).sort()
  const hash = createHash('sha256')
  for (const file of files) hash.update(await readFile(join(migrations, file)))
  const path = join(cache, `${hash.digest('hex').slice(0, 16)}.tar`)
  try {
    await readFile(path, { flag: 'r' })
  } catch {
    const db = await openPglite()
    await migrate(db)
    await mkdir(cache, { recursive: true })
    const temporary = `${path}.${process.pid}`
    await writeFile(temporary, Buffer.from(await (await db.pglite.dumpDataDir('none')).arrayBuffer()))
    // The first of several processes wins: replacing the file would break whoever is reading it.
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => { if (error.code !== 'EEXIST') throw error })
    await unlink(temporary)
    await db.close()
  }
  return path
}
