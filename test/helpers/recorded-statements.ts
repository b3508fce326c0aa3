/**
 * Where TEST_STATEMENTS names a folder, keeps there the statements that the product sends to the databases of tests, and the lines of src/
 * that send them. When the other tests have ended, test/query-plans/query-plans.test.ts looks at the plans of all of them.
 */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import type { Database, Queryable } from '../../src/db/sql/database.js'

export interface Statement {
  /** Such as `db/planning/sql-plans.ts:40`. */
  site: string
  text: string
}

export const STATEMENTS_FOLDER = process.env['TEST_STATEMENTS'] || undefined

// The product's own line comes after those of the tests that wrap a database.
const SITE = /\/src\/(?!db\/postgres\/postgres|db\/planning\/sql-store)(.+\.ts:\d+):\d+\)?$/m
const timesSent = new Map<string, number>()
const recorded = new Set<string>()

const record = (text: string): void => {
  const times = timesSent.get(text) ?? 0
  timesSent.set(text, times + 1)
  // Looking at the stack takes time; a text that several lines send is sent by each of them before long.
  const site = times < 100 ? SITE.exec(new Error().stack ?? '')?.[1] : undefined
  const line = `${JSON.stringify({ site, text })}\n`
  if (site !== undefined && !recorded.has(line)) appendFileSync(`${STATEMENTS_FOLDER}/${process.pid}.ndjson`, line)
  recorded.add(line)
}

/** Tells each text before it is sent. */
export const telling = (db: Database, tell: (text: string) => void): Database => {
  const query = (on: Queryable): Queryable['query'] => (text, values, options) => {
    tell(text)
    return on.query(text, values, options)
  }
  return {
    ...db,
    query: query(db),
    transaction: (work) => db.transaction((tx) => work({ query: query(tx) })),
    script: (text) => {
      tell(text)
      return db.script(text)
    }
  }
}

export const recording = (db: Database): Database => STATEMENTS_FOLDER === undefined ? db : telling(db, record)

export const readStatements = (folder: string): Statement[] => {
  const lines = readdirSync(folder).flatMap((file) => readFileSync(`${folder}/${file}`, 'utf8').trimEnd().split('\n'))
  return [...new Set(lines)].map((line): Statement => JSON.parse(line))
}
