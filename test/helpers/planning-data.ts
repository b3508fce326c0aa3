/** Databases that hold the sample data, or what a test gives. */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Test } from 'tap'
import { importRecords, type ImportOptions, type ImportSummary } from '../../src/import/import-records.js'
import type { Database } from '../../src/store/database.js'
import { database } from './database.js'

const SAMPLE = new URL('../../src/sample/sample.ndjson', import.meta.url)

export const sampleDatabase = async (t: Test) => {
  const db = await database(t)
  await importRecords(db, createReadStream(SAMPLE), { spoolDir: tmpdir() })
  return db
}

/** The line of an exploration that says this and no more. */
export const explorationLine = (workspace: string, title: string, text: string, more: object = {}) => ({
  type: 'exploration',
  id: randomUUID(),
  workspace_id: workspace,
  title,
  status: 'ready',
  tags: [],
  summaries: [{ kind: 'summary', text }],
  questions: [],
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  ...more
})

/** A file of these lines, one chunk a line. */
export async function * bytesOf (lines: readonly object[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`)
}

export const importLines = (
  db: Database, lines: readonly object[], options: ImportOptions = { spoolDir: tmpdir() }
): Promise<ImportSummary> => importRecords(db, bytesOf(lines), options)
