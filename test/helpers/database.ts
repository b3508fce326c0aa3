/**
 * A migrated database per test: in memory, or with TEST_DATABASE_URL a new one on that PostgreSQL server, so that the same promises are
 * proven there.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Test } from 'tap'
import { importRecords } from '../../src/importers/records/import-records.js'
import { migrate } from '../../src/db/migrate.js'
import { openPostgres } from '../../src/db/postgres.js'
import type { Database } from '../../src/db/database.js'
import { leaseEmbedded } from './embedded-database.js'

const SAMPLE = new URL('../../src/planning/sample.ndjson', import.meta.url)

/** Undefined where the tests run on the embedded database alone. */
export const SERVER = process.env['TEST_DATABASE_URL'] || undefined

export const database = async (t: Test): Promise<Database> => {
  const db = SERVER === undefined ? await leaseEmbedded('migrated') : await openPostgres(await ownDatabase(t, SERVER), { connections: 3 })
  t.teardown(() => db.close())
  if (SERVER !== undefined) await migrate(db)
  return db
}

/** The same with the sample data in it. */
export const sampleDatabase = async (t: Test): Promise<Database> => {
  if (SERVER === undefined) {
    const db = await leaseEmbedded('sample')
    t.teardown(() => db.close())
    return db
  }
  const db = await database(t)
  await importRecords(db, createReadStream(SAMPLE), { spoolDir: tmpdir() })
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
