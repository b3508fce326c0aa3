/** A database that holds the sample data, with the ports over it. */
import { createReadStream } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Test } from 'tap'
import { importRecords } from '../../src/import/import-records.js'
import { database } from './database.js'

const SAMPLE = new URL('../../src/sample/sample.ndjson', import.meta.url)

export const sampleDatabase = async (t: Test) => {
  const db = await database(t)
  await importRecords(db, createReadStream(SAMPLE), { spoolDir: tmpdir() })
  return db
}
