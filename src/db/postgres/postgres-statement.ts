/** Runs one statement on PostgreSQL, prepared when it has parameters. */
import { createHash } from 'node:crypto'
import type pg from 'pg'

/** The server ends a statement after this many milliseconds. */
export const STATEMENT_TIMEOUT_MS = 30_000
// For a server that does not even report its own timeout.
const SILENCE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000
// The texts are constants. If that ever changes, the bound protects the server's memory.
const MAX_NAMES = 500
const names = new Map<string, string>()

/** @throws the driver's error, also when the server does not answer within 35 s */
export const runStatement = async <R>(
  on: pg.Pool | pg.PoolClient, text: string, values: readonly unknown[]
): Promise<R[]> => {
  // A text without values may be several statements, which cannot be prepared.
  const name = values.length > 0 ? statementName(text) : undefined
  const query = { text, values: [...values], query_timeout: SILENCE_TIMEOUT_MS, ...(name !== undefined && { name }) }
  const { rows } = await on.query<pg.QueryResultRow>(query)
  return rows as R[]
}

/** The name of a text, the same on every connection, which plans it once; undefined for a new text beyond the bound. */
const statementName = (text: string): string | undefined => {
  const cachedName = names.get(text)
  if (cachedName !== undefined || names.size >= MAX_NAMES) return cachedName
  const name = createHash('sha256').update(text).digest('base64url')
  names.set(text, name)
  return name
}
