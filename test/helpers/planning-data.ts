/** Records that a test gives, and their import. */
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { importRecords, type ImportOptions, type RecordSummary } from '../../src/importers/records/import-records.js'
import type { Database } from '../../src/db/sql/database.js'

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

export const ALPHA = '11111111-1111-4111-8111-111111111111'
export const alphaLine = { type: 'workspace', id: ALPHA, slug: 'alpha', name: 'Alpha', created_at: '2026-01-01T00:00:00Z' }

export const userLine = (name: string) => ({ type: 'user', id: randomUUID(), email: `${name}@example.com`, name, kind: 'person' })

/** The text of a file of these lines. */
export const textOf = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

/** A file of these lines, one chunk a line. */
export async function * bytesOf (lines: readonly object[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`)
}

export const importLines = (
  db: Database, lines: readonly object[], options: ImportOptions = { spoolDir: tmpdir() }
): Promise<RecordSummary> => importRecords(db, bytesOf(lines), options)
