/**
 * A migrated database per test: in memory, or with TEST_DATABASE_URL a new one on that PostgreSQL server, so that the same promises are
 * proven there.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { tmpdir } from 'node:os'
import pg from 'pg'
import type { Test } from 'tap'
import { importRecords } from '../../src/importers/records/import-records.js'
import { migrate } from '../../src/db/migrate.js'
import { openPostgres } from '../../src/db/postgres/postgres.js'
import type { Database } from '../../src/db/sql/database.js'
import { leaseEmbedded } from './embedded-database.js'
import { recording } from './recorded-statements.js'

const SAMPLE = new URL('../../src/planning/sample.ndjson', import.meta.url)

/** Undefined where the tests run on the embedded database alone. */
export const SERVER = process.env['TEST_DATABASE_URL'] || undefined

export const database = async (t: Test): Promise<Database> => openCopy(t, 'migrated')

/** The same with the sample data in it. */
export const sampleDatabase = async (t: Test): Promise<Database> => openCopy(t, 'sample')

type Content = 'migrated' | 'sample'

const openCopy = async (t: Test, content: Content): Promise<Database> => {
  const db = SERVER === undefined
    ? await leaseEmbedded(content)
    : await openPostgres(await ownDatabase(t, SERVER, await templateName(SERVER, content)), { connections: 3 })
  t.teardown(() => db.close())
  // Copies are deployments of their own.
  if (SERVER !== undefined) await db.query('update deployment set tag = default')
  return recording(db)
}

const templates: Partial<Record<Content, Promise<string>>> = {}

/** The name of a database to copy, made once a process: a copy takes a tenth of the time of the migrations. */
export const templateName = (server: string, content: Content): Promise<string> => {
  const name = templates[content] ?? createTemplate(server, content)
  templates[content] = name
  return name
}

const createTemplate = async (server: string, content: Content): Promise<string> => {
  const source = content === 'sample' ? await templateName(server, 'migrated') : undefined
  const { name, url } = await createDatabase(server, source)
  process.once('beforeExit', () => { dropDatabase(server, name).catch((error: unknown) => { throw error }) })
  const db = await openPostgres(url, { connections: 1 })
  if (content === 'migrated') await migrate(db)
  else await importRecords(db, createReadStream(SAMPLE), { spoolDir: tmpdir() })
  await db.close()
  return name
}

/** The address of an empty database, or of a copy of another, that goes away with the test. */
export const ownDatabase = async (t: Test, server: string, template?: string): Promise<string> => {
  const { name, url } = await createDatabase(server, template)
  t.teardown(() => dropDatabase(server, name))
  return url
}

export const createDatabase = async (server: string, template = 'template1'): Promise<{ name: string, url: string }> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await execute(server, `create database ${name} template ${template} strategy file_copy`)
  return { name, url: Object.assign(new URL(server), { pathname: `/${name}` }).href }
}

const dropDatabase = (server: string, name: string): Promise<void> => execute(server, `drop database ${name} with (force)`)

const administration = new Map<string, pg.Pool>()

/** On connections of this process for all of its tests: each new one would cost as much as a copy. They do not keep the process alive. */
const execute = async (server: string, statement: string): Promise<void> => {
  let pool = administration.get(server)
  if (pool === undefined) {
    pool = new pg.Pool({ connectionString: server, max: 2, allowExitOnIdle: true })
    // Of a server that is gone by now; the next statement finds out.
    pool.on('error', () => {})
    administration.set(server, pool)
  }
  await pool.query(statement)
}
